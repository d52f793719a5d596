// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "core/kernels/cuda/host_arrays_torch.h"
#include "core/kernels/cuda/logit_normal_cuda.h"
#include "core/kernels/cuda_library.h"

namespace {

const float* floatsOf(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.const_data_ptr<float>() : nullptr;
}

void logitNormalCuda(const dubito::LogitNormalBatch& on_host, int device_index) {
  if (on_host.items == 0) {
    return;
  }
  const at::Device device(at::kCUDA, static_cast<at::DeviceIndex>(device_index));
  const c10::cuda::CUDAGuard guard(device);
  const std::int64_t elements = on_host.items * on_host.classes;
  const std::int64_t factors = on_host.factor_per_item ? on_host.items : 1;
  const at::Tensor mean = dubito::onDevice(on_host.mean, elements, device);
  const at::Tensor deviation = dubito::onDevice(on_host.deviation, elements, device);
  const at::Tensor factor =
      dubito::onDevice(on_host.factor, factors * on_host.noise * on_host.classes, device);
  const at::Tensor stretch =
      dubito::onDevice(on_host.stretch, on_host.items * on_host.noise, device);
  const at::Tensor ids = dubito::onDevice(on_host.item_ids, on_host.items, device);
  const auto in_double = at::TensorOptions().dtype(at::kDouble).device(device);
  const at::Tensor probs = at::empty({elements}, in_double);
  const at::Tensor entropies = at::empty({on_host.items}, in_double);
  dubito::LogitNormalBatch batch = on_host;
  batch.mean = floatsOf(mean);
  batch.deviation = floatsOf(deviation);
  batch.factor = floatsOf(factor);
  batch.stretch = floatsOf(stretch);
  batch.item_ids = ids.const_data_ptr<std::int64_t>();
  batch.probs = probs.mutable_data_ptr<double>();
  batch.entropies = entropies.mutable_data_ptr<double>();
  const dubito::LogitNormalPlan plan = dubito::planLogitNormal(batch);
  const at::Tensor scratch = at::empty({plan.globalDoubles()}, in_double);
  C10_CUDA_CHECK(dubito::launchLogitNormal(batch, plan, scratch.mutable_data_ptr<double>(),
                                           c10::cuda::getCurrentCUDAStream()));
  dubito::copyBack(probs, on_host.probs);
  dubito::copyBack(entropies, on_host.entropies);
}

}  // namespace

extern "C" {

/// See LogitNormalCudaFunction.
__attribute__((visibility("default"))) void dubito_logit_normal_cuda_v1(
    const dubito::LogitNormalBatch& on_host, int device_index) {
  logitNormalCuda(on_host, device_index);
}

}  // extern "C"
