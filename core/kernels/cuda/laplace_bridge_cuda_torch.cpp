// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "core/kernels/cuda/host_arrays_torch.h"
#include "core/kernels/cuda/laplace_bridge_cuda.h"
#include "core/kernels/cuda_library.h"

namespace {

void bridgeDiagonalCuda(const dubito::DiagonalBridgeTask& on_host, int device_index) {
  if (on_host.items == 0) {
    return;
  }
  const at::Device device(at::kCUDA, static_cast<at::DeviceIndex>(device_index));
  const c10::cuda::CUDAGuard guard(device);
  const std::int64_t elements = on_host.items * on_host.classes;
  const at::Tensor mean = dubito::onDevice(on_host.mean, elements, device);
  const at::Tensor variance = dubito::onDevice(on_host.variance, elements, device);
  const at::Tensor log_alpha = at::empty({elements}, mean.options());
  dubito::DiagonalBridgeTask task = on_host;
  task.mean = mean.const_data_ptr<float>();
  task.variance = variance.const_data_ptr<float>();
  task.log_alpha = log_alpha.mutable_data_ptr<float>();
  C10_CUDA_CHECK(dubito::launchBridgeDiagonal(task, c10::cuda::getCurrentCUDAStream()));
  dubito::copyBack(log_alpha, on_host.log_alpha);
}

}  // namespace

extern "C" {

/// See BridgeDiagonalCudaFunction.
__attribute__((visibility("default"))) void dubito_bridge_diagonal_cuda_v1(
    const dubito::DiagonalBridgeTask& on_host, int device_index) {
  bridgeDiagonalCuda(on_host, device_index);
}

}  // extern "C"
