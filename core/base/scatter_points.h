// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/plot_values.h"

namespace dubito {

/// N points of the plane, each of a group, with a grid over their ranges that counts them and finds
/// those near a place without a walk over all. Immutable once made.
struct ScatterPoints {
  std::vector<double> x;             ///< [N]
  std::vector<double> y;             ///< [N]
  std::vector<std::uint8_t> groups;  ///< [N], numbers of groups
  Interval x_range;                  ///< what the grid covers
  Interval y_range;
  int cells = 0;  ///< columns, and rows, of the grid
  /// [cells^2 + 1], where the points of each cell begin in `by_cell`; row by row from the lowest.
  std::vector<std::int32_t> cell_begin;
  /// [N] points cell by cell, ascending in x inside a cell.
  std::vector<std::int32_t> by_cell;

  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(x.size()); }
  /// How many points lie in a cell. Points beyond the ranges belong to the outer cells.
  [[nodiscard]] std::int64_t countIn(int column, int row) const {
    const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(cells) +
                      static_cast<std::size_t>(column);
    return cell_begin[cell + 1] - cell_begin[cell];
  }
  [[nodiscard]] int columnOf(double value) const;
  [[nodiscard]] int rowOf(double value) const;
};

/// Sorts points into a grid of `cells` x `cells`. Throws std::invalid_argument for sizes that
/// differ, values that are not finite, empty ranges, or cells < 1.
[[nodiscard]] ScatterPoints makeScatterPoints(std::vector<double> x, std::vector<double> y,
                                              std::vector<std::uint8_t> groups, Interval x_range,
                                              Interval y_range, int cells);

/// The point nearest to (x, y), where distances are measured in units of the two reaches; nothing
/// where none is nearer than 1. Looks at a bounded number of points: of thousands in one cell at
/// those nearest in x.
[[nodiscard]] std::optional<std::int32_t> nearestPoint(const ScatterPoints& points, double x,
                                                       double y, double x_reach, double y_reach);

}  // namespace dubito
