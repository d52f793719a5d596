// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

/// The points that thinCurve keeps of a curve, in ascending order.
[[nodiscard]] std::vector<std::size_t> thinnedPoints(std::span<const double> x,
                                                     std::span<const double> y,
                                                     std::size_t max_points);

/// Reduces a curve to at most `max_points` >= 2 of its points, for drawing. Starts with both ends
/// and repeatedly adds the point farthest from the line through the points so far, until no point
/// is off by more than 1e-5. Keeps the order of the points, the name and the summary. Throws
/// std::invalid_argument if x and y differ in length or max_points < 2.
[[nodiscard]] Curve thinCurve(const Curve& curve, std::size_t max_points);

}  // namespace dubito
