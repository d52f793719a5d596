// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/measures/laplace_bridge.h"

namespace dubito {

/// A Gaussian over coordinates of the zero-sum plane of K = 2 or 3 logits, which alone determines
/// the distribution of softmax(z). The coordinates are those of an orthonormal basis: t_0 points
/// from logit 0 to logit 1, and t_1 (only for K = 3) to logit 2, like the corners of the triangle.
/// For K = 2, everything about t_1 is 0.
struct PlaneGaussian {
  std::array<double, 2> mean{};
  /// Standard deviations along the axes of the ellipse, the larger first, >= 0.
  std::array<double, 2> deviation{};
  /// Angle of the first axis in radians, in (-pi/2, pi/2].
  double angle = 0.0;

  /// Covariance of (t_0, t_1): {S_00, S_01, S_11}.
  [[nodiscard]] std::array<double, 3> covariance() const;
};

/// Throws std::invalid_argument unless there are 2 or 3 logits. The covariance must be symmetric;
/// negative variances along an axis count as 0.
[[nodiscard]] PlaneGaussian planeGaussian(const LogitGaussian& gaussian);

/// The plane coordinates of logits [K], K = 2 or 3; a constant in all logits does not matter.
[[nodiscard]] std::array<double, 2> planePoint(std::span<const double> logits);
/// The zero-sum logits [classes] of a point of the plane.
[[nodiscard]] std::array<double, 3> logitsOfPlanePoint(const std::array<double, 2>& point,
                                                       std::size_t classes);

}  // namespace dubito
