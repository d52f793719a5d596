// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/array.h"

namespace dubito {

/// A line through points in drawing order; a closed line ends where it begins.
struct Polyline {
  std::vector<double> x;
  std::vector<double> y;
};

/// The contour lines of an image [rows, columns] at `level`, interpolated between the centres of
/// its cells. x and y are fractions of its width and height; y grows with the row. There are no
/// lines next to NaN values.
[[nodiscard]] std::vector<Polyline> isoLines(const Array<double>& values, double level);

}  // namespace dubito
