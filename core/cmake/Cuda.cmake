# CUDA is optional twice: nvcc may be missing at build time, the driver at run time. The kernels are in
# a separate shared library (dubito_cuda) that is loaded only if a driver responds.

set(DUBITO_HAS_CUDA OFF)
get_filename_component(_site "${DUBITO_TORCH_ROOT}/.." ABSOLUTE)
set(_cu13 ${_site}/nvidia/cu13)
find_library(DUBITO_TORCH_CUDA torch_cuda PATHS ${DUBITO_TORCH_ROOT}/lib NO_DEFAULT_PATH)
find_file(
  DUBITO_CUDART libcudart.so.13 libcudart.so
  PATHS ${_cu13}/lib ${DUBITO_TORCH_ROOT}/lib
  NO_DEFAULT_PATH)

if(DUBITO_CUDA AND DUBITO_TORCH_CUDA AND DUBITO_CUDART)
  if(NOT CMAKE_CUDA_COMPILER AND EXISTS ${_cu13}/bin/nvcc)
    set(CMAKE_CUDA_COMPILER ${_cu13}/bin/nvcc)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_STANDARD 17)
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90)
    endif()
    # Use the CUDA runtime of torch's wheel: two copies in one process would not share state.
    set(CMAKE_CUDA_RUNTIME_LIBRARY None)
    enable_language(CUDA)
    add_library(dubito_cudart SHARED IMPORTED)
    set_target_properties(
      dubito_cudart PROPERTIES IMPORTED_LOCATION ${DUBITO_CUDART} INTERFACE_INCLUDE_DIRECTORIES
                                                 "${_cu13}/include;${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}")
    add_library(torch::torch_cuda SHARED IMPORTED)
    set_target_properties(torch::torch_cuda PROPERTIES IMPORTED_LOCATION ${DUBITO_TORCH_CUDA})
    target_link_libraries(torch::torch_cuda INTERFACE torch::torch_cpu
                                                      ${DUBITO_TORCH_ROOT}/lib/libc10_cuda.so dubito_cudart)
    set(DUBITO_HAS_CUDA ON)
  endif()
endif()
add_feature_info("CUDA kernels" DUBITO_HAS_CUDA "GPU runs; without nvcc or torch's CUDA libraries all work is on the CPU")
