// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace dubito {

/// Split conformal prediction under covariate shift (Tibshirani et al. 2019; theory, section 11):
/// the threshold is a quantile of calibration scores that are weighted by the density ratio of
/// target and source, with the weight of the test item at infinity.
class WeightedConformal {
 public:
  /// `scores` [n] of the true classes of calibration items, in any order; `weights` [n], finite and
  /// >= 0. Throws std::invalid_argument otherwise.
  WeightedConformal(std::span<const double> scores, std::span<const double> weights);

  /// The smallest score below or at which at least 1 - alpha of all weight lies; infinity if only
  /// the test item completes it. `weight_of_test` is finite and >= 0. Equal weights give the
  /// threshold of conformalOrder().
  [[nodiscard]] double threshold(double alpha, double weight_of_test) const;

  /// (sum w)^2 / sum w^2: as many equally weighted items would be as informative. 0 without weight.
  [[nodiscard]] double effectiveItems() const;

 private:
  std::vector<double> scores_;      ///< ascending
  std::vector<double> cumulative_;  ///< weight up to and including each score
  double squares_ = 0.0;
};

}  // namespace dubito
