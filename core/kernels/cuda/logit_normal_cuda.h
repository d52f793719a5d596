// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/kernels/logit_normal_batch.h"

namespace dubito {

/// Launch configuration. How the threads of a block share an item (all but `blocks`) depends only
/// on K, R and M, so that an item's sums do not depend on its batch.
struct LogitNormalPlan {
  int lanes = 1;  ///< threads per team, a power of two; a team computes a draw and its mirror image
  int teams = 1;  ///< teams per block
  /// Groups of four classes in the registers of a thread; 0: they are in scratch memory.
  int thread_groups = 0;
  std::int64_t doubles_per_team = 0;  ///< scratch memory of a team, as a number of doubles
  bool in_shared_memory = true;       ///< whether scratch memory is shared, else global
  unsigned blocks = 0;

  /// Global scratch memory for all blocks, as a number of doubles.
  [[nodiscard]] std::int64_t globalDoubles() const {
    return in_shared_memory ? 0 : static_cast<std::int64_t>(blocks) * teams * doubles_per_team;
  }
};

/// The launch configuration for `batch`.
[[nodiscard]] LogitNormalPlan planLogitNormal(const LogitNormalBatch& batch);

/// Launches the kernel that computes the sums of `batch` on `stream` and returns the launch status.
/// The pointers in `batch` are device pointers. `scratch` is device memory for plan.globalDoubles()
/// doubles. Does nothing for an empty batch.
[[nodiscard]] cudaError_t launchLogitNormal(const LogitNormalBatch& batch,
                                            const LogitNormalPlan& plan, double* scratch,
                                            cudaStream_t stream);

}  // namespace dubito
