// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/kernels/logit_normal_batch.h"

namespace dubito {

/// How the threads of a block share an item. Depends on K and R alone, so that sums do not depend
/// on the batch.
struct LogitNormalPlan {
  int lanes = 1;                      ///< threads per team, a power of two; a team draws one pair
  int teams = 1;                      ///< per block
  std::int64_t doubles_per_team = 0;  ///< scratch memory
  bool in_shared_memory = true;       ///< otherwise in global memory, for every block
  unsigned blocks = 0;

  /// Global scratch memory, in doubles.
  [[nodiscard]] std::int64_t globalDoubles() const {
    return in_shared_memory ? 0 : static_cast<std::int64_t>(blocks) * teams * doubles_per_team;
  }
};

[[nodiscard]] LogitNormalPlan planLogitNormal(const LogitNormalBatch& batch);

/// Processes `batch` (device pointers) on `stream` and returns the launch status; `scratch` holds
/// globalDoubles() of the plan. Launches nothing for an empty batch.
[[nodiscard]] cudaError_t launchLogitNormal(const LogitNormalBatch& batch,
                                            const LogitNormalPlan& plan, double* scratch,
                                            cudaStream_t stream);

}  // namespace dubito
