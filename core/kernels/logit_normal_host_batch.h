// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/kernels/logit_gaussians.h"
#include "core/kernels/logit_normal_batch.h"

namespace dubito {

/// Converts Gaussians in host memory to the layout that the CUDA kernel reads. The Gaussians must
/// have passed checkedShape and must outlive this object.
class LogitNormalHostBatch {
 public:
  explicit LogitNormalHostBatch(const LogitGaussians& gaussians);

  /// A batch in which means, deviations, factors and sizes are set; the caller sets the other
  /// fields.
  [[nodiscard]] const LogitNormalBatch& batch() const { return batch_; }

 private:
  LogitNormalBatch batch_;
  std::vector<float> roots_;   ///< deviations [N, K], or stretches [N, R]
  std::vector<float> factor_;  ///< [R, K] or [N, R, K]
};

}  // namespace dubito
