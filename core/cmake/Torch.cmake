# LibTorch as imported targets. Its own CMake package enables CUDA as a language and fails if nvcc is
# missing or the standard is C++20, so the few targets that we need are defined here.

set(DUBITO_TORCH_DIR
    ""
    CACHE PATH "LibTorch: the folder that holds include/ and lib/ (empty: the one ./run.sh installed)")

set(_torch_candidates ${DUBITO_TORCH_DIR})
if(NOT DUBITO_TORCH_DIR)
  set(_cache "$ENV{XDG_CACHE_HOME}")
  if(NOT _cache)
    set(_cache "$ENV{HOME}/.cache")
  endif()
  file(GLOB _torch_candidates "${_cache}/dubito/torch-2.11.0/lib/python3*/site-packages/torch")
endif()
find_path(
  DUBITO_TORCH_ROOT include/torch/script.h
  PATHS ${_torch_candidates}
  NO_DEFAULT_PATH)
if(NOT DUBITO_TORCH_ROOT)
  message(FATAL_ERROR "LibTorch was not found. Run ./run.sh, which installs it into the user's cache, "
                      "or give the folder that holds include/ and lib/ with -DDUBITO_TORCH_DIR=DIR.")
endif()

# Torch ships headers of a newer fmt, which would hide the installed ones but have no library: every source would compile
# all of fmt. A folder with the installed ones alone comes first.
get_target_property(_fmt_includes fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
find_path(_fmt_include fmt/format.h PATHS ${_fmt_includes} REQUIRED NO_CACHE)
set(_fmt_alone ${PROJECT_BINARY_DIR}/fmt_alone)
file(MAKE_DIRECTORY ${_fmt_alone})
file(CREATE_LINK ${_fmt_include}/fmt ${_fmt_alone}/fmt SYMBOLIC)
set(_torch_includes ${_fmt_alone} ${DUBITO_TORCH_ROOT}/include ${DUBITO_TORCH_ROOT}/include/torch/csrc/api/include)
foreach(_name c10 torch_cpu)
  add_library(torch::${_name} SHARED IMPORTED)
  set_target_properties(
    torch::${_name}
    PROPERTIES IMPORTED_LOCATION ${DUBITO_TORCH_ROOT}/lib/lib${_name}.so
               INTERFACE_INCLUDE_DIRECTORIES "${_torch_includes}")
endforeach()
target_link_libraries(torch::torch_cpu INTERFACE torch::c10)
target_link_libraries(torch::c10 INTERFACE fmt::fmt)

# at::parallel_for is a template: our sources that call it run on one thread unless compiled with
# OpenMP. Linking to torch's own copy keeps a single thread pool in the process.
add_library(dubito_torch_openmp INTERFACE)
add_library(torch::openmp ALIAS dubito_torch_openmp)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_library(DUBITO_TORCH_GOMP NAMES libgomp.so.1 gomp PATHS ${DUBITO_TORCH_ROOT}/lib)
  if(DUBITO_TORCH_GOMP)
    target_compile_options(dubito_torch_openmp INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fopenmp>)
    # As a flag, because CMake warns about the compiler's library of the same name, which is not loaded.
    target_link_libraries(dubito_torch_openmp INTERFACE -Wl,${DUBITO_TORCH_GOMP})
  endif()
endif()
