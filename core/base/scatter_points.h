// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

/// N points in the plane, each with a group, and a grid over their ranges: for counting points and
/// finding those near a position without visiting all. Immutable once built.
struct ScatterPoints {
  std::vector<double> x;             ///< [N]
  std::vector<double> y;             ///< [N]
  std::vector<std::uint8_t> groups;  ///< [N] group numbers
  Interval x_range;                  ///< covered by the grid
  Interval y_range;
  int cells = 0;  ///< columns and rows of the grid
  /// [cells^2 + 1] where the points of each cell begin in `by_cell`; row by row from the lowest.
  std::vector<std::int32_t> cell_begin;
  /// [N] points cell by cell, in ascending x within a cell.
  std::vector<std::int32_t> by_cell;

  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(x.size()); }
  /// Number of points in a cell. Points beyond the ranges belong to the outer cells.
  [[nodiscard]] std::int64_t countIn(int column, int row) const {
    const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(cells) +
                      static_cast<std::size_t>(column);
    return cell_begin[cell + 1] - cell_begin[cell];
  }
  [[nodiscard]] int columnOf(double value) const;
  [[nodiscard]] int rowOf(double value) const;
};

/// Sorts points into a grid of `cells` x `cells`. Throws std::invalid_argument for different sizes,
/// non-finite values, empty ranges, or cells < 1.
[[nodiscard]] ScatterPoints makeScatterPoints(std::vector<double> x, std::vector<double> y,
                                              std::vector<std::uint8_t> groups, Interval x_range,
                                              Interval y_range, int cells);

/// The point nearest to (x, y), with distances measured in units of `x_reach` and `y_reach`;
/// nothing if none is nearer than 1. Visits a bounded number of points: in a cell with thousands,
/// those nearest in x.
[[nodiscard]] std::optional<std::int32_t> nearestPoint(const ScatterPoints& points, double x,
                                                       double y, double x_reach, double y_reach);

}  // namespace dubito
