// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/legend_spot.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dubito {

PointCounts::PointCounts(const QRect& area, const std::vector<QPointF>& points)
    : area_(area.adjusted(-kMargin, -kMargin, kMargin, kMargin)) {
  const auto stride = static_cast<std::size_t>(area_.width()) + 1;
  sums_.resize(stride * (static_cast<std::size_t>(area_.height()) + 1));
  for (const QPointF& point : points) {
    const double x = std::floor(point.x()) - area_.left();
    const double y = std::floor(point.y()) - area_.top();
    if (x >= 0.0 && y >= 0.0 && x < area_.width() && y < area_.height()) {
      ++sums_[(static_cast<std::size_t>(y) + 1) * stride + static_cast<std::size_t>(x) + 1];
    }
  }
  for (std::size_t at = stride; at < sums_.size(); at += stride) {
    int of_row = 0;
    for (std::size_t x = 0; x < stride; ++x) {
      of_row += sums_[at + x];
      sums_[at + x] = sums_[at + x - stride] + of_row;
    }
  }
}

std::ptrdiff_t PointCounts::near(const QRect& spot) const {
  const QRect around = spot.adjusted(-kMargin, -kMargin, kMargin, kMargin) & area_;
  const auto sumTo = [this](int x, int y) {
    return sums_[static_cast<std::size_t>((y - area_.top()) * (area_.width() + 1) + x -
                                          area_.left())];
  };
  const int right = around.right() + 1;
  const int bottom = around.bottom() + 1;
  return sumTo(right, bottom) - sumTo(around.left(), bottom) - sumTo(right, around.top()) +
         sumTo(around.left(), around.top());
}

LegendSpot emptySpot(const QRect& area, const QSize& size, const PointCounts& points,
                     const PointCounts& guides) {
  const int right = area.left() + std::max(0, area.width() - size.width());
  const int bottom = area.top() + std::max(0, area.height() - size.height());
  std::vector<QPoint> corners{{right, bottom},
                              {area.left(), bottom},
                              {right, area.top()},
                              {area.left(), area.top()},
                              {(area.left() + right) / 2, bottom},
                              {right, (area.top() + bottom) / 2},
                              {area.left(), (area.top() + bottom) / 2}};
  constexpr int kSteps = 6;
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; j <= kSteps; ++j) {
      corners.emplace_back(area.left() + (right - area.left()) * j / kSteps,
                           bottom - (bottom - area.top()) * i / kSteps);
    }
  }
  QRect best;
  std::pair<std::ptrdiff_t, std::ptrdiff_t> fewest{-1, -1};
  for (const QPoint& corner : corners) {
    const QRect spot(corner, size);
    const std::pair counts(points.near(spot), guides.near(spot));
    if (fewest.first < 0 || counts < fewest) {
      best = spot;
      fewest = counts;
    }
    if (fewest == std::pair<std::ptrdiff_t, std::ptrdiff_t>(0, 0)) {
      break;
    }
  }
  return {best, fewest.first};
}

void appendPixels(const std::vector<QPointF>& polyline, std::vector<QPointF>& pixels) {
  constexpr double kStep = 4.0;
  for (std::size_t i = 0; i + 1 < polyline.size(); ++i) {
    const QPointF from = polyline[i];
    const QPointF way = polyline[i + 1] - from;
    const double length = std::hypot(way.x(), way.y());
    if (!std::isfinite(length)) {
      continue;  // a gap in the curve
    }
    const int steps = static_cast<int>(std::clamp(length / kStep, 1.0, 4096.0));
    for (int k = 0; k < steps; ++k) {
      pixels.push_back(from + way * (static_cast<double>(k) / steps));
    }
  }
  if (!polyline.empty() && std::isfinite(polyline.back().x() + polyline.back().y())) {
    pixels.push_back(polyline.back());
  }
}

}  // namespace dubito
