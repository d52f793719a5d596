// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/array.h"

namespace dubito {

/// A line through points in drawing order; a closed one ends where it begins.
struct Polyline {
  std::vector<double> x;
  std::vector<double> y;
};

/// The lines on which a picture [rows, columns] of values has `level`, interpolated between the
/// middles of its cells; x and y are shares of its width and height, y grows with the row. Values
/// that are NaN have no lines around them.
[[nodiscard]] std::vector<Polyline> isoLines(const Array<double>& values, double level);

}  // namespace dubito
