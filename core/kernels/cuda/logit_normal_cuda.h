// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/kernels/logit_normal_batch.h"

namespace dubito {

/// How the threads of a block share one item. A function of K and R alone, so that sums do not
/// depend on the batch.
struct LogitNormalPlan {
  int lanes = 1;                      ///< threads of a team, which draws one pair: a power of two
  int teams = 1;                      ///< of a block
  std::int64_t doubles_per_team = 0;  ///< scratch memory
  bool in_shared_memory = true;       ///< else in global memory, for every block
  unsigned blocks = 0;

  /// Doubles of global scratch memory.
  [[nodiscard]] std::int64_t globalDoubles() const {
    return in_shared_memory ? 0 : static_cast<std::int64_t>(blocks) * teams * doubles_per_team;
  }
};

[[nodiscard]] LogitNormalPlan planLogitNormal(const LogitNormalBatch& batch);

/// All of `batch` (device pointers) on `stream`; `scratch` as the plan wants it. Returns what the
/// launch says. An empty batch launches nothing.
[[nodiscard]] cudaError_t launchLogitNormal(const LogitNormalBatch& batch,
                                            const LogitNormalPlan& plan, double* scratch,
                                            cudaStream_t stream);

}  // namespace dubito
