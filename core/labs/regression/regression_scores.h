// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/labs/methods/regression_method.h"

namespace dubito {

/// How good a predictive distribution is on points with known y (theory, section 3). All scores use
/// the whole distribution, epistemic variance and noise together.
struct RegressionScores {
  double rmse = 0.0;            ///< root mean square error of the mean, in the unit of y
  double log_likelihood = 0.0;  ///< mean ln p(y), in nats
  double crps = 0.0;            ///< mean continuous ranked probability score, in the unit of y
  /// Share of the points inside the central interval of each of kCoverageLevels.
  std::vector<double> coverage;
  /// P(Y <= y) of each point under its predictive distribution, in [0, 1]; uniform if calibrated.
  std::vector<double> pit;
};

inline constexpr double kCoverageLevels[] = {0.5, 0.9, 0.95};

/// Scores `prediction` at the points whose y are given. A mixture is scored as the mixture of its
/// draws, anything else as a Gaussian. Noise and epistemic variance may be 0, but not both: a point
/// mass has no density, its log likelihood is -inf (or inf where it hits). Throws
/// std::invalid_argument if the sizes differ or there are no points.
[[nodiscard]] RegressionScores scoreRegression(const RegressionPrediction& prediction,
                                               std::span<const double> y);

/// Share of the points of `pit` inside the central interval of each level in (0, 1): the
/// calibration curve of a regression.
[[nodiscard]] std::vector<double> centralCoverage(std::span<const double> pit,
                                                  std::span<const double> levels);

}  // namespace dubito
