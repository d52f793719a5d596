// SPDX-License-Identifier: GPL-3.0-or-later
#include <cuda_runtime_api.h>

#include <utility>

#include "tests/core/kernels/cuda_on_cpu/language.h"

namespace {

cudaError_t last_error = cudaSuccess;

}  // namespace

cudaError_t cudaGetLastError() {
  return std::exchange(last_error, cudaSuccess);
}

namespace dubito::cuda_on_cpu {

bool acceptsLaunch(const LaunchShape& shape) {
  const auto count = [](const Extent3& size) { return std::size_t{size.x} * size.y * size.z; };
  if (count(shape.grid) == 0 || count(shape.block) == 0 ||
      count(shape.block) > kMaxThreadsPerBlock) {
    last_error = cudaErrorInvalidConfiguration;
  } else if (shape.shared_bytes > kMaxSharedBytes) {
    last_error = cudaErrorInvalidValue;
  }
  return last_error == cudaSuccess;
}

}  // namespace dubito::cuda_on_cpu
