// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include "core/kernels/cpu/laplace_bridge_cpu.h"

namespace dubito {

/// Launches the bridge for all rows of `task`, whose pointers are device pointers, on `stream` and
/// returns the launch status. Does nothing for an empty task.
[[nodiscard]] cudaError_t launchBridgeDiagonal(const DiagonalBridgeTask& task, cudaStream_t stream);

}  // namespace dubito
