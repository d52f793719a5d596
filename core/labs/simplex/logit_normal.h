// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/nan.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/base/simplex_values.h"
#include "core/labs/simplex/zero_sum_plane.h"

namespace dubito {

/// The distribution of softmax(z), z ~ N(mu, Sigma), over K = 2 or 3 classes. Its density with
/// respect to dp_0 (dp_1) is N(t; m, S) / (sqrt(K) prod_k p_k), where t are the plane coordinates
/// of ln p.
class LogitNormal {
 public:
  /// Throws std::invalid_argument unless there are 2 or 3 logits.
  explicit LogitNormal(const LogitGaussian& gaussian);

  [[nodiscard]] std::size_t classes() const { return classes_; }
  [[nodiscard]] const PlaneGaussian& plane() const { return plane_; }
  /// Whether an axis of the ellipse has no width (relative to 1e-6 of the other): there is no
  /// density on the simplex, and every divergence from a Dirichlet is infinite.
  [[nodiscard]] bool isSingular() const;

  /// ln of (density times prod_k p_k) at plane coordinates t. Not for singular distributions.
  [[nodiscard]] double logWeightedDensity(const std::array<double, 2>& t) const;
  /// ln of the density at `probs` [K], positive. Not for singular distributions.
  [[nodiscard]] double logDensity(std::span<const double> probs) const;
  /// The plane coordinates of whitened ones, u = 0 being the mean.
  [[nodiscard]] std::array<double, 2> unwhitened(double u, double v) const;
  /// The point of the highest density found from the mean and from `start` (plane coordinates).
  [[nodiscard]] std::array<double, 2> mode(const std::array<double, 2>& start) const;

  /// Largest slope of a difference of two logits along a whitened coordinate: the larger, the finer
  /// must be the steps of an integral.
  [[nodiscard]] double largestSlope() const;

 private:
  std::size_t classes_;
  PlaneGaussian plane_;
  std::array<double, 2> first_{};  // columns of the factor of S
  std::array<double, 2> second_{};
  double log_norm_ = 0.0;
};

/// Image of the density over three classes (see SimplexDensity). `mean` and `variance` [3] are
/// those of the distribution. Not for singular distributions. Throws std::invalid_argument for
/// cells outside [2, 4096].
[[nodiscard]] SimplexDensity logitNormalDensity(const LogitNormal& distribution,
                                                std::span<const double> mean,
                                                std::span<const double> variance,
                                                std::int64_t cells);

/// `function` at the centres of `points` equal parts of `range`.
template <class Function>
[[nodiscard]] Curve curveAtCentres(Interval range, std::int64_t points, const Function& function) {
  Curve curve;
  curve.summary = kNaN;
  for (std::int64_t i = 0; i < points; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(points);
    const double x = range.low + share * (range.high - range.low);
    curve.x.push_back(x);
    curve.y.push_back(function(x));
  }
  return curve;
}

/// The density over two classes against p_0, at the centres of `points` equal parts of [0, 1].
[[nodiscard]] Curve logitNormalLine(const LogitNormal& distribution, std::int64_t points);

}  // namespace dubito
