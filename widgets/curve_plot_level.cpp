// SPDX-License-Identifier: GPL-3.0-or-later
// The level of a CurvePlot, which the mouse drags.
#include <algorithm>
#include <cmath>

#include "widgets/curve_plot_parts_qcp.h"

namespace dubito {
namespace {

constexpr double kLevelReach = 6.0;
constexpr double kRingReach = 12.0;

}  // namespace

void CurvePlot::showLevel() {
  const QCPRange x = plot().xAxis->range();
  if (value_.level) {
    parts_->level->setData({x.lower, x.upper}, {value_.level->y, value_.level->y}, true);
  }
}

bool CurvePlot::isOnLevel(const QPointF& position) const {
  if (!value_.level ||
      !plot().axisRect()->rect().adjusted(-4, -4, 4, 4).contains(position.toPoint())) {
    return false;
  }
  const bool on_line =
      std::abs(plot().yAxis->coordToPixel(value_.level->y) - position.y()) <= kLevelReach;
  const bool on_ring =
      marker_ && std::hypot(plot().xAxis->coordToPixel(marker_->x()) - position.x(),
                            plot().yAxis->coordToPixel(marker_->y()) - position.y()) <= kRingReach;
  return on_line || on_ring;
}

bool CurvePlot::mousePressed(const QPointF& position) {
  if (!isOnLevel(position)) {
    return false;
  }
  // The line keeps its distance from the mouse: it does not jump to a ring that was grabbed.
  parts_->grabbed_at = plot().yAxis->coordToPixel(value_.level->y) - position.y();
  return true;
}

bool CurvePlot::mouseMoved(const QPointF& position) {
  if (!parts_->grabbed_at) {
    plot().setCursor(isOnLevel(position) ? Qt::SizeVerCursor : Qt::ArrowCursor);
    return false;
  }
  CurveLevel& level = *value_.level;
  const double y = std::clamp(plot().yAxis->pixelToCoord(position.y() + *parts_->grabbed_at),
                              level.range.low, level.range.high);
  if (y != level.y) {
    level.y = y;
    showLevel();
    replotSoon();
    Q_EMIT levelMoved(y);
  }
  return true;
}

bool CurvePlot::mouseReleased(const QPointF& position) {
  if (!parts_->grabbed_at) {
    return false;
  }
  mouseMoved(position);
  parts_->grabbed_at.reset();
  parts_->placed_in.reset();  // the legend stayed while the ring moved
  replotSoon();
  Q_EMIT levelReleased(value_.level->y);
  return true;
}

}  // namespace dubito
