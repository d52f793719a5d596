// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/point_plot.h"

#include <cmath>

#include "widgets/plot_parts_qcp.h"

namespace dubito {
namespace {

/// How near the mouse must be to a point to take it, in pixels.
constexpr double kPointReach = 12.0;

}  // namespace

void PointPlot::setPointTool(PointTool tool) {
  tool_ = tool;
  dragged_ = -1;
  erasing_ = false;
  plot().setCursor(tool == PointTool::kNone    ? Qt::ArrowCursor
                   : tool == PointTool::kErase ? Qt::PointingHandCursor
                                               : Qt::CrossCursor);
  setDragPans(tool == PointTool::kNone);
}

void PointPlot::pointsChanged() {
  if (dragged_ >= static_cast<int>(pointX().size())) {
    dragged_ = -1;
  }
}

int PointPlot::pointAt(const QPointF& position) const {
  int best = -1;
  double best_distance = kPointReach;
  for (std::size_t i = 0; i < pointX().size(); ++i) {
    const double distance = std::hypot(plot().xAxis->coordToPixel(pointX()[i]) - position.x(),
                                       plot().yAxis->coordToPixel(pointY()[i]) - position.y());
    if (distance <= best_distance) {
      best = static_cast<int>(i);
      best_distance = distance;
    }
  }
  return best;
}

QPointF PointPlot::valueAt(const QPointF& position) const {
  return {plot().xAxis->pixelToCoord(position.x()), plot().yAxis->pixelToCoord(position.y())};
}

bool PointPlot::isInside(const QPointF& position) const {
  return plot().axisRect()->rect().contains(position.toPoint());
}

bool PointPlot::mousePressed(const QPointF& position) {
  if (tool_ == PointTool::kNone || !isInside(position)) {
    return false;
  }
  Q_EMIT strokeBegun();
  const int point = pointAt(position);
  if (tool_ == PointTool::kErase) {
    erasing_ = true;
    if (point >= 0) {
      Q_EMIT pointErased(point);
    }
    return true;
  }
  dragged_ = point;
  return point >= 0;
}

bool PointPlot::mouseMoved(const QPointF& position) {
  if (erasing_) {
    if (const int point = pointAt(position); point >= 0) {
      Q_EMIT pointErased(point);
    }
    return true;
  }
  if (dragged_ < 0) {
    return false;
  }
  if (isInside(position)) {
    const QPointF value = valueAt(position);
    Q_EMIT pointMoved(dragged_, value.x(), value.y());
  }
  return true;
}

bool PointPlot::mouseReleased(const QPointF& /*position*/) {
  const bool consumed = erasing_ || dragged_ >= 0;
  erasing_ = false;
  dragged_ = -1;
  return consumed;
}

void PointPlot::clicked(const QPointF& position) {
  if (tool_ == PointTool::kEdit && isInside(position)) {
    const QPointF value = valueAt(position);
    Q_EMIT pointAdded(value.x(), value.y());
  }
}

}  // namespace dubito
