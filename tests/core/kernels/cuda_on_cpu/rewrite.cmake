# Translates a CUDA source to C++: cmake -DSOURCE=a.cu -DRESULT=a.cpp -P rewrite.cmake
# Launches become calls of launcher(), shared variables references into the block's memory; language.h provides the
# rest. Line numbers are kept.
file(READ ${SOURCE} text)

string(REGEX MATCHALL "<<<" opened "${text}")
string(REGEX MATCHALL ">>>\\(" closed "${text}")
list(LENGTH opened launches)
list(LENGTH closed calls)
if(NOT launches EQUAL calls)
  message(FATAL_ERROR "${SOURCE}: ${launches} launches begin, but ${calls} end")
endif()
string(REGEX REPLACE "([A-Za-z_0-9:]+(<[A-Za-z_0-9:, ]+>)?[ \n]*)<<<" "::dubito::cuda_on_cpu::launcher(\\1, " text "${text}")
string(REPLACE ">>>(" ")(" text "${text}")

string(REGEX REPLACE "extern __shared__ ([^;]+) ([A-Za-z_0-9]+)\\[\\];"
                     "auto* const \\2 = reinterpret_cast<\\1*>(::dubito::cuda_on_cpu::dynamicSharedMemory());" text "${text}")
string(REGEX REPLACE "__shared__ ([A-Za-z_0-9: ]+) ([A-Za-z_0-9]+)([^;]*);"
                     "auto& \\2 = ::dubito::cuda_on_cpu::shared<\\1\\3>(__COUNTER__);" text "${text}")

file(WRITE ${RESULT} "#include \"tests/core/kernels/cuda_on_cpu/language.h\"\n#line 1 \"${SOURCE}\"\n${text}")
