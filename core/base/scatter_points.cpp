// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/scatter_points.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/all_finite.h"

namespace dubito {
namespace {

// Per cell, on each side of x.
constexpr std::int32_t kMaxVisits = 2000;

int partOf(double value, Interval range, int parts) {
  const double part = std::floor((value - range.low) / (range.high - range.low) * parts);
  return static_cast<int>(std::clamp(part, 0.0, static_cast<double>(parts - 1)));
}

/// Keeps the nearest point visited so far.
class Nearest {
 public:
  Nearest(const ScatterPoints& points, double x, double y, double x_reach, double y_reach)
      : points_(points), x_(x), y_(y), x_reach_(x_reach), y_reach_(y_reach) {}

  /// False if no point farther away in x can be nearer.
  bool visit(std::int32_t point) {
    const auto i = static_cast<std::size_t>(point);
    const double dx = (points_.x.data()[i] - x_) / x_reach_;
    const double dy = (points_.y.data()[i] - y_) / y_reach_;
    const double distance = dx * dx + dy * dy;
    // Of equally near points the first, whatever the order of the visits.
    if (distance < best_ || (distance == best_ && found_ && point < *found_)) {
      best_ = distance;
      found_ = point;
    }
    return dx * dx <= best_;
  }
  void visitCell(std::int32_t begin, std::int32_t end) {
    const auto first = points_.by_cell.begin() + begin;
    const auto last = points_.by_cell.begin() + end;
    const auto middle = std::lower_bound(first, last, x_, [this](std::int32_t point, double x) {
      return points_.x.data()[static_cast<std::size_t>(point)] < x;
    });
    std::int32_t visited = 0;
    for (auto at = middle; at != last && visited < kMaxVisits && visit(*at); ++at) {
      ++visited;
    }
    visited = 0;
    for (auto at = middle; at != first && visited < kMaxVisits && visit(*(at - 1)); --at) {
      ++visited;
    }
  }
  [[nodiscard]] std::optional<std::int32_t> found() const { return found_; }

 private:
  const ScatterPoints& points_;
  double x_;
  double y_;
  double x_reach_;
  double y_reach_;
  double best_ = 1.0;
  std::optional<std::int32_t> found_;
};

}  // namespace

int ScatterPoints::columnOf(double value) const {
  return partOf(value, x_range, cells);
}
int ScatterPoints::rowOf(double value) const {
  return partOf(value, y_range, cells);
}

ScatterPoints makeScatterPoints(Array<double> x, Array<double> y, std::vector<std::uint8_t> groups,
                                Interval x_range, Interval y_range, int cells) {
  if (x.size() != y.size() || x.size() != std::ssize(groups) || cells < 1 ||
      !(x_range.high > x_range.low) || !(y_range.high > y_range.low) || !allFinite(x.values()) ||
      !allFinite(y.values())) {
    throw std::invalid_argument(
        "makeScatterPoints: needs finite values, equally many x, y and groups, non-empty ranges "
        "and at least one cell");
  }
  ScatterPoints points;
  points.x = std::move(x);
  points.y = std::move(y);
  points.groups = std::move(groups);
  points.x_range = x_range;
  points.y_range = y_range;
  points.cells = cells;
  const std::size_t n = points.groups.size();
  const auto side = static_cast<std::size_t>(cells);
  std::vector<std::int32_t> cell_of(n);
  points.cell_begin.assign(side * side + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto cell = static_cast<std::size_t>(points.rowOf(points.y.data()[i])) * side +
                      static_cast<std::size_t>(points.columnOf(points.x.data()[i]));
    cell_of[i] = static_cast<std::int32_t>(cell);
    ++points.cell_begin[cell + 1];
  }
  for (std::size_t cell = 0; cell < side * side; ++cell) {
    points.cell_begin[cell + 1] += points.cell_begin[cell];
  }
  std::vector<std::int32_t> next(points.cell_begin.begin(), points.cell_begin.end() - 1);
  points.by_cell.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto place = next[static_cast<std::size_t>(cell_of[i])]++;
    points.by_cell[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(i);
  }
  // Sorted together with their x: to fetch it at every comparison takes twice as long.
  std::vector<std::pair<double, std::int32_t>> in_cell;
  for (std::size_t cell = 0; cell < side * side; ++cell) {
    const auto begin = points.by_cell.begin() + points.cell_begin[cell];
    const auto end = points.by_cell.begin() + points.cell_begin[cell + 1];
    in_cell.clear();
    std::transform(begin, end, std::back_inserter(in_cell), [&](std::int32_t point) {
      return std::pair(points.x.data()[static_cast<std::size_t>(point)], point);
    });
    std::ranges::sort(in_cell);
    std::ranges::transform(in_cell, begin, [](const auto& entry) { return entry.second; });
  }
  return points;
}

std::optional<std::int32_t> nearestPoint(const ScatterPoints& points, double x, double y,
                                         double x_reach, double y_reach) {
  if (points.size() == 0) {
    return std::nullopt;
  }
  Nearest nearest(points, x, y, x_reach, y_reach);
  for (int row = points.rowOf(y - y_reach); row <= points.rowOf(y + y_reach); ++row) {
    for (int column = points.columnOf(x - x_reach); column <= points.columnOf(x + x_reach);
         ++column) {
      const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(points.cells) +
                        static_cast<std::size_t>(column);
      nearest.visitCell(points.cell_begin[cell], points.cell_begin[cell + 1]);
    }
  }
  return nearest.found();
}

}  // namespace dubito
