// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <array>
#include <cstdint>

#include "core/base/array.h"
#include "core/base/simplex_values.h"

namespace dubito {

// Pictures of the triangle of SimplexPlot in its bounding box, transparent outside.

/// `density` as in SimplexDensity::log_density. The brightest colour means `highest`, the darkest
/// `highest - depth` nats or less.
[[nodiscard]] QImage densityImage(const Array<double>& density, double highest, double depth);

/// `counts` as in SimplexValue::counts, coloured from 0 to the maximum.
[[nodiscard]] QImage countsImage(const Array<std::int64_t>& counts);

[[nodiscard]] QImage plainTriangle(const QColor& color);

/// Barycentric coordinates of the corners of one small triangle of SimplexValue::counts; `i` and
/// `j` are in units of 1/m, `upper` selects the odd column 2 j + 1.
[[nodiscard]] inline std::array<Triple, 3> cornersOf(std::int64_t i, std::int64_t j, bool upper,
                                                     std::int64_t m) {
  const auto at = [m](std::int64_t a, std::int64_t b) {
    const auto parts = static_cast<double>(m);
    return Triple{static_cast<double>(a) / parts, static_cast<double>(b) / parts,
                  static_cast<double>(m - a - b) / parts};
  };
  return {at(i + (upper ? 1 : 0), j + (upper ? 1 : 0)), at(i + 1, j), at(i, j + 1)};
}

/// Calls `visit(i, j, is_upper, count)` for each small triangle.
template <class Visit>
void forEachTriangle(const Array<std::int64_t>& counts, const Visit& visit) {
  const std::int64_t m = counts.extent(0);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; i + j < m; ++j) {
      for (const bool upper : {false, true}) {
        if (!upper || i + j + 2 <= m) {
          visit(i, j, upper, counts.row(i)[static_cast<std::size_t>(2 * j + (upper ? 1 : 0))]);
        }
      }
    }
  }
}

}  // namespace dubito
