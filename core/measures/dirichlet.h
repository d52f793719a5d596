// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace dubito {

/// Moments and uncertainty measures of Dir(alpha) over K classes (theory, section 2), accurate from
/// alpha = 1e-300 to 1e30. Vectors are [K]; entropies in nats.
struct DirichletSummary {
  double precision = 0.0;             ///< alpha_0, the sum of alpha
  std::vector<double> rest;           ///< sum of the alphas of all other classes
  std::vector<double> mean;           ///< alpha_k / alpha_0
  std::vector<double> variance;       ///< of the probability of class k
  double entropy_of_mean = 0.0;       ///< total uncertainty, in [0, log K]
  double expected_entropy = 0.0;      ///< E[H[p]], aleatoric
  double mutual_information = 0.0;    ///< entropy_of_mean - expected_entropy, never negative
  double differential_entropy = 0.0;  ///< of the density on the simplex; may be negative
};

/// Throws std::invalid_argument if K < 2 or an alpha is not positive and finite.
[[nodiscard]] DirichletSummary summariseDirichlet(std::span<const double> alpha);

/// The value of alpha_k above which the variance of p_k increases with the variance of logit k, if
/// the other alphas sum to `rest`: (sqrt(9 r^2 + 10 r + 1) - r - 1)/4 with r = `rest` (theory,
/// section 6, proposition 1).
[[nodiscard]] double proposition1Threshold(double rest);

/// The condition of proposition 1, alpha_k > proposition1Threshold, checked for all classes. The
/// proposition assumes the uncentred bridge (bridge-raw) with the mean and the other variances
/// fixed.
struct Proposition1 {
  double share_of_classes = 0.0;  ///< fraction of the classes that meet the condition
  /// Whether the class with the largest alpha (ties: the lowest class) meets the condition.
  bool by_predicted_class = false;
};

/// Throws std::invalid_argument if K < 2 or an alpha is not positive and finite.
[[nodiscard]] Proposition1 checkProposition1(std::span<const double> alpha);

}  // namespace dubito
