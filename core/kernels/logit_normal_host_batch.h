// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/kernels/logit_gaussians.h"
#include "core/kernels/logit_normal_batch.h"

namespace dubito {

/// Gaussians in the form that the CUDA kernel reads, in the host's memory. Gaussians of checked
/// shape that outlive it.
class LogitNormalHostBatch {
 public:
  explicit LogitNormalHostBatch(const LogitGaussians& gaussians);

  /// Means, deviations, factors and sizes; the caller sets the rest.
  [[nodiscard]] const LogitNormalBatch& batch() const { return batch_; }

 private:
  LogitNormalBatch batch_;
  std::vector<float> roots_;   ///< deviations [N, K], or stretches [N, R]
  std::vector<float> factor_;  ///< [R, K] or [N, R, K]
};

}  // namespace dubito
