// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <array>
#include <cstdint>

#include "core/base/array.h"
#include "core/base/simplex_values.h"

namespace dubito {

// Images of the bounding box of the triangle in a SimplexPlot; transparent outside the triangle.

/// Image of `density` (see SimplexDensity::log_density). The colours range from `highest`
/// (brightest) to `highest - depth` nats or less (darkest).
[[nodiscard]] QImage densityImage(const Array<double>& density, double highest, double depth);

/// Image of `counts` (see SimplexValue::counts). The colours range from 0 to the maximum count.
[[nodiscard]] QImage countsImage(const Array<std::int64_t>& counts);

/// Image of the triangle in one colour.
[[nodiscard]] QImage plainTriangle(const QColor& color);

/// Barycentric coordinates of the corners of a small triangle of SimplexValue::counts: that of
/// counts[i][2 j] or, if `inverted` (pointing down), of counts[i][2 j + 1]. `m` is
/// counts.extent(0).
[[nodiscard]] inline std::array<Triple, 3> cornersOf(std::int64_t i, std::int64_t j, bool inverted,
                                                     std::int64_t m) {
  const auto at = [m](std::int64_t a, std::int64_t b) {
    const auto parts = static_cast<double>(m);
    return Triple{static_cast<double>(a) / parts, static_cast<double>(b) / parts,
                  static_cast<double>(m - a - b) / parts};
  };
  return {at(i + (inverted ? 1 : 0), j + (inverted ? 1 : 0)), at(i + 1, j), at(i, j + 1)};
}

/// Calls `visit(i, j, inverted, count)` for all small triangles.
template <class Visit>
void forEachTriangle(const Array<std::int64_t>& counts, const Visit& visit) {
  const std::int64_t m = counts.extent(0);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; i + j < m; ++j) {
      for (const bool inverted : {false, true}) {
        if (!inverted || i + j + 2 <= m) {
          visit(i, j, inverted,
                counts.row(i)[static_cast<std::size_t>(2 * j + (inverted ? 1 : 0))]);
        }
      }
    }
  }
}

}  // namespace dubito
