// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include "core/kernels/cuda_library.h"

extern "C" {

/// See HasCudaFunction.
__attribute__((visibility("default"))) bool dubito_has_cuda_v1() {
  return at::detail::getCUDAHooks().hasCUDART();
}

/// See DisableTf32Function.
__attribute__((visibility("default"))) void dubito_disable_tf32_v1() {
  at::globalContext().setAllowTF32CuBLAS(false);
  at::globalContext().setAllowTF32CuDNN(false);
}

}  // extern "C"
