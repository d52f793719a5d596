// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include "core/kernels/keyed_dropout.h"

namespace dubito {

/// All of `batch` (device pointers) on `stream`; returns what the launch says. An empty batch
/// launches nothing.
[[nodiscard]] cudaError_t launchKeyedDropout(const KeyedDropoutBatch& batch, cudaStream_t stream);

}  // namespace dubito
