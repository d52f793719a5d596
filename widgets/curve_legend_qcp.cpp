// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curve_legend_qcp.h"

#include <algorithm>
#include <cmath>

#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {

QRect emptySpot(const QRect& area, const QSize& size, const std::vector<QPointF>& points) {
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
  std::ptrdiff_t fewest = -1;
  for (const QPoint& corner : corners) {
    const QRect spot(corner, size);
    const QRectF covered = QRectF(spot).adjusted(-3, -3, 3, 3);
    const std::ptrdiff_t count = std::count_if(
        points.begin(), points.end(), [&](const QPointF& p) { return covered.contains(p); });
    if (fewest < 0 || count < fewest) {
      best = spot;
      fewest = count;
    }
    if (fewest == 0) {
      break;
    }
  }
  return best;
}

void appendPixels(const std::vector<QPointF>& polyline, std::vector<QPointF>& pixels) {
  constexpr double kStep = 4.0;
  for (std::size_t i = 0; i + 1 < polyline.size(); ++i) {
    const QPointF from = polyline[i];
    const QPointF way = polyline[i + 1] - from;
    const int steps = std::clamp(static_cast<int>(std::hypot(way.x(), way.y()) / kStep), 1, 4096);
    for (int k = 0; k < steps; ++k) {
      pixels.push_back(from + way * (static_cast<double>(k) / steps));
    }
  }
  if (!polyline.empty()) {
    pixels.push_back(polyline.back());
  }
}

CurveLegend::CurveLegend() {
  setBorderPen(Qt::NoPen);
  setMargins(QMargins(6, 4, 6, 4));
  setRowSpacing(1);
  setIconSize(26, 10);
  setIconTextPadding(6);
}

void CurveLegend::setGraphs(const QString& heading, const std::vector<QCPGraph*>& graphs) {
  const Theme& theme = currentTheme();
  heading_ = heading;
  clear();
  setFont(uiFont(TypeSize::kSmall));
  setTextColor(theme.text);
  setBrush(translucent(theme.panel, 0.85));
  if (!heading.isEmpty()) {
    auto* text = new QCPTextElement(parentPlot(), heading, uiFont(TypeSize::kSmall));
    text->setTextColor(theme.muted);
    text->setLayer(layer());
    addElement(0, 0, text);
  }
  for (QCPGraph* graph : graphs) {
    if (!graph->name().isEmpty()) {
      addItem(new QCPPlottableLegendItem(this, graph));
    }
  }
}

}  // namespace dubito
