// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include "core/kernels/keyed_dropout.h"

namespace dubito {

/// Launches keyed dropout of `batch`, whose pointers are device pointers, on `stream` and returns
/// the launch status. Does nothing for an empty batch.
[[nodiscard]] cudaError_t launchKeyedDropout(const KeyedDropoutBatch& batch, cudaStream_t stream);

/// The same with the slower 64-bit indices that batches of 2^31 elements or more get anyway.
[[nodiscard]] cudaError_t launchLargeKeyedDropout(const KeyedDropoutBatch& batch,
                                                  cudaStream_t stream);

}  // namespace dubito
