// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <utility>

namespace dubito {

/// The visible square of a grid of n x n cells, in cells. At first the whole grid.
class SquareView {
 public:
  /// Shows the whole of a grid of `cells` x `cells` if their number has changed.
  void setCells(int cells);
  [[nodiscard]] bool isWhole() const { return span_ >= cells_; }
  /// Cells along each side; at least 1.
  [[nodiscard]] double span() const { return span_; }
  /// The upper left corner.
  [[nodiscard]] QPointF origin() const { return origin_; }
  /// Number of the first and one past the last cell that can be seen at least in part.
  [[nodiscard]] std::pair<int, int> columns() const { return range(origin_.x()); }
  [[nodiscard]] std::pair<int, int> rows() const { return range(origin_.y()); }

  /// Shows `factor` times as many cells along each side, within limits. What lies at `fixed`, in
  /// [0, 1] x [0, 1] of the visible square, stays there. Returns whether the view has changed.
  bool zoom(double factor, const QPointF& fixed);
  /// Moves the view by `cells`, within the grid.
  void move(const QPointF& cells);
  /// Moves the view as little as possible until the cell is inside.
  void include(int column, int row);
  void reset();

 private:
  [[nodiscard]] std::pair<int, int> range(double first) const;
  void setOrigin(QPointF origin);

  int cells_ = 0;
  double span_ = 1.0;
  QPointF origin_;
};

}  // namespace dubito
