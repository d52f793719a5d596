// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include "core/kernels/cpu/laplace_bridge_cpu.h"

namespace dubito {

/// Processes all rows of `task` (device pointers) on `stream` and returns the launch status.
/// Launches nothing for an empty task.
[[nodiscard]] cudaError_t launchBridgeDiagonal(const DiagonalBridgeTask& task, cudaStream_t stream);

}  // namespace dubito
