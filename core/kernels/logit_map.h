// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/logit_gaussians.h"

namespace dubito {

/// One Gaussian over K logits as a map from noise eps in R^R to logits: z = mean + A eps, where A
/// is diag(deviation), or `factor` where that is given. Views: whoever made it keeps the memory.
struct LogitMap {
  std::int64_t classes = 0;          ///< K
  std::int64_t noise = 0;            ///< R
  const float* mean = nullptr;       ///< [K]
  const float* deviation = nullptr;  ///< [K], null where there is a factor
  const float* factor = nullptr;     ///< [K, R]
  const float* stretch = nullptr;    ///< [R], with a factor
};

/// Turns Gaussians into maps, row by row, with memory of its own: one a thread. Gaussians of
/// checked shape that outlive it.
class LogitMapper {
 public:
  explicit LogitMapper(const LogitGaussians& gaussians) : gaussians_(gaussians) {}

  /// Valid until the next call.
  [[nodiscard]] LogitMap map(std::int64_t row);

 private:
  void takeDiagonal(const DiagonalCovariance& diagonal, std::int64_t row, LogitMap& map);
  void takeFull(const FullCovariance& full, std::int64_t row, LogitMap& map);
  void takeFactored(const FactoredCovariance& factored, std::int64_t row, LogitMap& map);

  const LogitGaussians& gaussians_;
  std::vector<float> roots_;   ///< deviations [K], or stretches [R]
  std::vector<float> factor_;  ///< [K, R] of a full covariance
};

}  // namespace dubito
