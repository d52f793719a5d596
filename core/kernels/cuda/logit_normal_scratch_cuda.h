// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/kernels/cuda/logit_normal_cuda.h"

namespace dubito {

/// Scratch memory of a team, as a number of doubles.
[[nodiscard]] std::int64_t logitNormalScratchOf(const LogitNormalBatch& batch);

/// launchLogitNormal for items with more classes than fit into registers.
[[nodiscard]] cudaError_t launchLogitNormalWithScratch(const LogitNormalBatch& batch,
                                                       const LogitNormalPlan& plan, double* scratch,
                                                       cudaStream_t stream);

}  // namespace dubito
