// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/simplex_values.h"
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

/// Sum of e^z over logits z, scaled by the largest so that nothing overflows.
struct ExpSum {
  double largest = 0.0;
  double scaled = 0.0;  ///< sum of e^(z - largest)

  [[nodiscard]] double log() const { return largest + std::log(scaled); }
};
/// Replaces logits by their softmax.
inline ExpSum softmaxInPlace(std::span<double> logits) {
  ExpSum sum{*std::ranges::max_element(logits)};
  for (double& value : logits) {
    value = std::exp(value - sum.largest);
    sum.scaled += value;
  }
  for (double& value : logits) {
    value /= sum.scaled;
  }
  return sum;
}

/// The plane coordinates of logits [K], K = 2 or 3; a constant in all logits does not matter.
[[nodiscard]] std::array<double, 2> planePoint(std::span<const double> logits);
/// The zero-sum logits [classes] of a point of the plane.
[[nodiscard]] std::array<double, 3> logitsOfPlanePoint(const std::array<double, 2>& point,
                                                       std::size_t classes);

// Editing a Gaussian over three logits by dragging its ellipse: planeGaussian gives the ellipse,
// these functions change it, and withPlane writes it back.

/// `gaussian` (K = 2 or 3) with the given mean and covariance in the zero-sum plane. The mean of
/// the sum of the logits, its variance and its covariances with the plane are kept; these
/// covariances are scaled down if the matrix would not be positive semi-definite otherwise.
[[nodiscard]] LogitGaussian withPlane(const LogitGaussian& gaussian, const PlaneGaussian& plane);

/// The zero-sum Gaussian with the given plane coordinates.
[[nodiscard]] LogitGaussian zeroSumGaussian(const PlaneGaussian& plane, std::size_t classes);

/// The point of the plane at the end of an axis (0 or 1), `deviations` standard deviations from the
/// mean: where a window draws a handle.
[[nodiscard]] std::array<double, 2> axisEnd(const PlaneGaussian& plane, std::size_t axis,
                                            double deviations);

/// The ellipse after the handle of an axis was dragged to `point`: the axis points there and is as
/// long, the other keeps its length and stays perpendicular. The dragged axis keeps its number, so
/// the first may become the shorter one. Lengths are clamped to [1e-3, 30].
[[nodiscard]] PlaneGaussian withAxisEnd(const PlaneGaussian& plane, std::size_t axis,
                                        const std::array<double, 2>& point, double deviations);

/// The boundary of the ellipse of `deviations` standard deviations, as `points` + 1 probabilities
/// softmax(t); the last equals the first. For three logits.
[[nodiscard]] std::vector<Triple> ellipseOnTriangle(const PlaneGaussian& plane, double deviations,
                                                    std::int64_t points);

/// softmax of a point of the plane, for three logits, and its inverse. Probabilities are clamped
/// from below at 1e-12, so that a point dragged to an edge stays finite.
[[nodiscard]] Triple probsOfPlanePoint(const std::array<double, 2>& point);
[[nodiscard]] std::array<double, 2> planePointOfProbs(const Triple& probs);

}  // namespace dubito
