// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "core/labs/simplex/logit_normal.h"

namespace dubito {

/// Moments of p = softmax(z) under a LogitNormal. Vectors are [K].
struct LogitNormalMoments {
  std::vector<double> mean;
  std::vector<double> variance;
  /// dVar(p_k)/dSigma_kk with the mean and all other elements of Sigma fixed: E[p^2 (1 - p)(2 - 3
  /// p)]
  /// - E[p] E[p (1 - p)(1 - 2 p)], from dE[f(z)]/dSigma_kk = E[d^2 f / dz_k^2] / 2.
  std::vector<double> variance_slope;
  /// Whether the steps of the integral could be as fine as the slopes of the logits require. If
  /// not, the error is about 1e-3.
  bool is_accurate = true;
};

/// Integrates by the trapezoidal rule over 7.5 standard deviations of the whitened plane (error
/// about 1e-9; see largestSlope). Also for singular distributions.
[[nodiscard]] LogitNormalMoments momentsOf(const LogitNormal& distribution,
                                           const RunContext& context);

/// ln of another density times prod_k p_k, as a function of ln p and the plane coordinates:
/// constant + sum_k exponents_k ln p_k (a Dirichlet), or a LogitNormal.
struct RivalDensity {
  double constant = 0.0;
  std::vector<double> exponents;              ///< [K]
  std::optional<LogitNormal> logit_normal{};  ///< if present, replaces the other members
};
/// Dir(exp(log_alpha)). Throws std::invalid_argument if an alpha is not positive and finite.
[[nodiscard]] RivalDensity dirichletRival(std::span<const double> log_alpha);

/// A LogitNormal p compared with another density q.
struct DensityComparison {
  /// KL(p || q) in nats.
  double divergence = 0.0;
  /// (1/2) integral |p - q|, in [0, 1], as E_p[max(0, 1 - q/p)].
  double total_variation = 0.0;
  /// Difference of `total_variation` from its value with twice the step: an estimate of the error.
  double total_variation_error = 0.0;
};

/// Compares `p`, which must not be singular, with each rival, by the trapezoidal rule with `nodes`
/// nodes per standard deviation or, if that is more, as many as momentsOf uses. The divergence is
/// accurate to about 1e-9 of its terms, the total variation, whose integrand has a kink, to about
/// 1/nodes^2.
[[nodiscard]] std::vector<DensityComparison> compareDensities(const LogitNormal& p,
                                                              std::span<const RivalDensity> rivals,
                                                              std::int64_t nodes,
                                                              const RunContext& context);

/// KL(Dir(exp(log_alpha)) || q) in nats, exactly: under the Dirichlet, the plane coordinates of ln
/// p have mean and covariance of digammas and trigammas. `q` must not be singular. Throws
/// std::invalid_argument if an alpha is not positive and finite.
[[nodiscard]] double divergenceFromDirichlet(std::span<const double> log_alpha,
                                             const LogitNormal& q);

}  // namespace dubito
