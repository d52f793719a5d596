// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRect>
#include <QSize>
#include <cstddef>
#include <vector>

namespace dubito {

/// A position of the legend and the number of curve points that it covers.
struct LegendSpot {
  QRect rect;
  std::ptrdiff_t covered = 0;
};

/// Counts points in rectangles without visiting them: hundreds of curves have too many to look at
/// for each candidate of a legend.
class PointCounts {
 public:
  /// Points of which no rectangle within `area` is nearer than kMargin are left out.
  PointCounts(const QRect& area, const std::vector<QPointF>& points);

  /// The points in `spot`, which lies in the area, and within kMargin pixels around it.
  [[nodiscard]] std::ptrdiff_t near(const QRect& spot) const;

 private:
  static constexpr int kMargin = 3;
  QRect area_;             ///< with the margin
  std::vector<int> sums_;  ///< [height + 1, width + 1] points above and left of each pixel
};

/// Returns the rectangle of `size` inside `area` that covers the fewest `points`. Ties are broken
/// by the number of covered `guides` (points of a guide line, such as the diagonal), then by the
/// order of the candidates: corners, middles of the sides, positions on a grid. Both are counts of
/// the same area.
[[nodiscard]] LegendSpot emptySpot(const QRect& area, const QSize& size, const PointCounts& points,
                                   const PointCounts& guides);

/// Appends points of a polyline, about 4 px or less apart, so that long straight segments count as
/// many points. Points that are not finite are gaps.
void appendPixels(const std::vector<QPointF>& polyline, std::vector<QPointF>& pixels);

}  // namespace dubito
