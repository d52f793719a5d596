// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "core/kernels/keyed_dropout.h"

namespace dubito {

/// Exported by libdubito_cuda.so as kKeyedDropoutCudaSymbol (cuda_library.h). All tensors are
/// contiguous and on the device of `x`: x and y float32, item_ids and draws int64 [items],
/// mask_hashes either int64 [items], filled with zeros, or undefined; thresholds (the bits of
/// unsigned numbers) int32 and scales float32 [units], or both undefined. The pointers in
/// `geometry` are not read. Runs on the current stream; throws c10::Error if the launch fails.
using KeyedDropoutCudaFunction = void (*)(const KeyedDropoutBatch& geometry, const at::Tensor& x,
                                          const at::Tensor& y, const at::Tensor& item_ids,
                                          const at::Tensor& draws, const at::Tensor& mask_hashes,
                                          const at::Tensor& thresholds, const at::Tensor& scales);

}  // namespace dubito
