// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/kernels/logit_gaussians.h"
#include "core/kernels/logit_normal_batch.h"

namespace dubito {

/// Gaussians in host memory, in the layout that the CUDA kernel reads. They must have passed
/// checkedShape and outlive it.
class LogitNormalHostBatch {
 public:
  explicit LogitNormalHostBatch(const LogitGaussians& gaussians);

  /// Means, deviations, factors and sizes; the caller sets the other fields.
  [[nodiscard]] const LogitNormalBatch& batch() const { return batch_; }

 private:
  LogitNormalBatch batch_;
  std::vector<float> roots_;   ///< deviations [N, K], or stretches [N, R]
  std::vector<float> factor_;  ///< [R, K] or [N, R, K]
};

}  // namespace dubito
