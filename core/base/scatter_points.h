// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/array.h"
#include "core/base/plot_values.h"

namespace dubito {

/// N points in the plane, each with a group, sorted into a grid of cells, so that points can be
/// counted, and found near a position, without visiting all of them. Immutable once built.
struct ScatterPoints {
  Array<double> x;                   ///< [N]
  Array<double> y;                   ///< [N]
  std::vector<std::uint8_t> groups;  ///< [N] group numbers
  Interval x_range;                  ///< covered by the grid
  Interval y_range;
  int cells = 0;  ///< columns and rows of the grid
  /// [cells^2 + 1] position in `by_cell` of the first point of each cell, row by row from the
  /// lowest y; the last entry is N.
  std::vector<std::int32_t> cell_begin;
  /// [N] indices of the points, cell by cell; by ascending x within a cell.
  std::vector<std::int32_t> by_cell;

  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(x.size()); }
  /// Number of points in a cell. Points outside the ranges belong to the outermost cells.
  [[nodiscard]] std::int64_t countIn(int column, int row) const {
    const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(cells) +
                      static_cast<std::size_t>(column);
    return cell_begin[cell + 1] - cell_begin[cell];
  }
  /// Column and row of the cells that contain an x or y value, clamped to the grid.
  [[nodiscard]] int columnOf(double value) const;
  [[nodiscard]] int rowOf(double value) const;
};

/// Sorts points into a grid of `cells` x `cells`. Throws std::invalid_argument if the sizes differ,
/// a value is not finite, a range is empty, or cells < 1.
[[nodiscard]] ScatterPoints makeScatterPoints(Array<double> x, Array<double> y,
                                              std::vector<std::uint8_t> groups, Interval x_range,
                                              Interval y_range, int cells);

/// Index of the point nearest to (x, y), with distances along x and y in units of `x_reach` and
/// `y_reach`; nullopt if no point is nearer than 1. Visits only a limited number of points per
/// cell, those nearest in x.
[[nodiscard]] std::optional<std::int32_t> nearestPoint(const ScatterPoints& points, double x,
                                                       double y, double x_reach, double y_reach);

}  // namespace dubito
