// SPDX-License-Identifier: GPL-3.0-or-later
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "core/kernels/cuda/keyed_dropout_cuda.h"
#include "core/kernels/torch/keyed_dropout_cuda_torch.h"

namespace {

void keyedDropoutCuda(const dubito::KeyedDropoutBatch& geometry, const at::Tensor& x,
                      const at::Tensor& y, const at::Tensor& item_ids, const at::Tensor& draws,
                      const at::Tensor& mask_hashes, const at::Tensor& thresholds,
                      const at::Tensor& scales) {
  const c10::cuda::CUDAGuard guard(x.device());
  dubito::KeyedDropoutBatch batch = geometry;
  batch.x = x.const_data_ptr<float>();
  batch.y = y.mutable_data_ptr<float>();
  batch.item_ids = item_ids.const_data_ptr<std::int64_t>();
  batch.draws = draws.const_data_ptr<std::int64_t>();
  batch.mask_hashes =
      mask_hashes.defined()
          ? reinterpret_cast<std::uint64_t*>(mask_hashes.mutable_data_ptr<std::int64_t>())
          : nullptr;
  if (batch.units > 0) {
    batch.thresholds =
        reinterpret_cast<const std::uint32_t*>(thresholds.const_data_ptr<std::int32_t>());
    batch.scales = scales.const_data_ptr<float>();
  }
  C10_CUDA_CHECK(dubito::launchKeyedDropout(batch, c10::cuda::getCurrentCUDAStream()));
}

}  // namespace

extern "C" {

/// See KeyedDropoutCudaFunction.
__attribute__((visibility("default"))) void dubito_keyed_dropout_cuda_v3(
    const dubito::KeyedDropoutBatch& geometry, const at::Tensor& x, const at::Tensor& y,
    const at::Tensor& item_ids, const at::Tensor& draws, const at::Tensor& mask_hashes,
    const at::Tensor& thresholds, const at::Tensor& scales) {
  keyedDropoutCuda(geometry, x, y, item_ids, draws, mask_hashes, thresholds, scales);
}

}  // extern "C"
