// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/square_view.h"

#include <algorithm>
#include <cmath>

namespace dubito {
namespace {

constexpr double kMinCells = 4.0;

}  // namespace

void SquareView::setCells(int cells) {
  if (cells != cells_) {
    cells_ = cells;
    reset();
  }
}

void SquareView::reset() {
  span_ = std::max(1.0, static_cast<double>(cells_));
  origin_ = {};
}

void SquareView::setOrigin(QPointF origin) {
  const double last = std::max(0.0, cells_ - span_);
  origin_ = {std::clamp(origin.x(), 0.0, last), std::clamp(origin.y(), 0.0, last)};
}

bool SquareView::zoom(double factor, const QPointF& fixed) {
  const double whole = std::max(1.0, static_cast<double>(cells_));
  const double span = std::clamp(span_ * factor, std::min(kMinCells, whole), whole);
  if (span == span_) {
    return false;
  }
  const QPointF origin = origin_ + (span_ - span) * fixed;
  span_ = span;
  setOrigin(origin);
  return true;
}

void SquareView::move(const QPointF& cells) {
  setOrigin(origin_ + cells);
}

void SquareView::include(int column, int row) {
  const auto inside = [this](double first, int cell) {
    return std::clamp(first, std::min(cell + 1.0 - span_, static_cast<double>(cell)),
                      static_cast<double>(cell));
  };
  setOrigin({inside(origin_.x(), column), inside(origin_.y(), row)});
}

std::pair<int, int> SquareView::range(double first) const {
  return {static_cast<int>(std::floor(first)),
          std::min(cells_, static_cast<int>(std::ceil(first + span_)))};
}

}  // namespace dubito
