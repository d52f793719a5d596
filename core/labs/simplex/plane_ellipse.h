// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/simplex_values.h"
#include "core/labs/simplex/zero_sum_plane.h"

namespace dubito {

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
