// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/array.h"

namespace dubito {

/// A line through points in drawing order. In a closed line, the last point equals the first.
struct Polyline {
  std::vector<double> x;
  std::vector<double> y;
};

/// The contour lines at `level` of the image `values` [rows, columns], interpolated between the
/// centres of its cells. x and y are fractions of the image width and height; y increases with the
/// row. No lines are drawn next to NaN values.
[[nodiscard]] std::vector<Polyline> isoLines(const Array<double>& values, double level);

}  // namespace dubito
