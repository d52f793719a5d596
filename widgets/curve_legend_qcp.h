// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <vector>

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

/// The rectangle of `size` inside `area` that covers the fewest of `points`: corners first, then
/// the middles of the sides, then a raster over the area.
[[nodiscard]] QRect emptySpot(const QRect& area, const QSize& size,
                              const std::vector<QPointF>& points);

/// Pixels along a polyline, at most about 4 px apart, so that long straight parts count too.
void appendPixels(const std::vector<QPointF>& polyline, std::vector<QPointF>& pixels);

/// A legend without a frame: a muted heading, then one line a graph.
class CurveLegend : public QCPLegend {
 public:
  CurveLegend();

  /// Takes the graphs that have names, in their order.
  void setGraphs(const QString& heading, const std::vector<QCPGraph*>& graphs);
  [[nodiscard]] QString heading() const { return heading_; }

 private:
  QString heading_;
};

}  // namespace dubito
