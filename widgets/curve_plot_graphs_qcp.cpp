// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curve_plot_graphs_qcp.h"

#include <algorithm>
#include <cmath>

#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr std::size_t kDensePoints = 200;
constexpr double kDenseWidth = 0.01;

QColor colorOf(const StyledCurve& styled) {
  const Theme& theme = currentTheme();
  switch (styled.role) {
    case StyledCurve::Role::kReference:
      return theme.muted;
    case StyledCurve::Role::kBackground:
      return translucent(theme.muted, 0.6);
    case StyledCurve::Role::kSelection:
      return theme.selection;
    case StyledCurve::Role::kRun:
      break;
  }
  return styled.run < 0 ? theme.accent : theme.runColor(styled.run);
}

/// So many closely spaced points that steps and straight lines look the same.
bool isDense(const Curve& curve) {
  double widest = 0.0;
  for (std::size_t i = 1; i < curve.x.size(); ++i) {
    widest = std::max(widest, std::abs(curve.x[i] - curve.x[i - 1]));
  }
  return curve.x.size() > kDensePoints && widest < kDenseWidth;
}

/// Ascending in x, as QCPGraph requires, with vertical parts in drawing order.
void toAscending(QVector<double>& x, QVector<double>& y) {
  if (x.size() > 1 && x.front() > x.back()) {
    std::reverse(x.begin(), x.end());
    std::reverse(y.begin(), y.end());
  }
}

/// Bars of the intervals of a curve whose points are in ascending order, which marks them.
QCPErrorBars* intervalBars(QCPGraph& graph, const StyledCurve& styled, QCustomPlot& plot) {
  constexpr double kPointSize = 6.0;
  QVector<double> below;
  QVector<double> above;
  for (std::size_t i = 0; i < styled.intervals.size(); ++i) {
    below.push_back(styled.curve.y[i] - styled.intervals[i].low);
    above.push_back(styled.intervals[i].high - styled.curve.y[i]);
  }
  graph.setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssDisc, colorOf(styled), colorOf(styled), kPointSize));
  auto* const bars = new QCPErrorBars(plot.xAxis, plot.yAxis);
  bars->setDataPlottable(&graph);
  bars->setErrorType(QCPErrorBars::etValueError);
  bars->setWhiskerWidth(0.0);
  bars->setSymbolGap(0.0);
  bars->setData(below, above);
  bars->setPen(linePen(colorOf(styled), 1.25));
  bars->removeFromLegend();
  return bars;
}

/// Marks a few points of a curve.
void addMarkers(const StyledCurve& styled, QCPGraph& graph) {
  constexpr int kMarkers = 8;
  constexpr double kMarkerSize = 6.0;
  graph.setScatterStyle(runMarker(colorOf(styled), styled.marker, kMarkerSize));
  graph.setScatterSkip(std::max(0, graph.dataCount() / kMarkers - 1));
}

/// A translucent area over the intervals of a curve in ascending order, below the curve.
void addBand(const StyledCurve& styled, QCustomPlot& plot) {
  constexpr double kOpacity = 0.18;
  QVector<double> x(styled.curve.x.begin(), styled.curve.x.end());
  QVector<double> low;
  QVector<double> high;
  for (const Interval& interval : styled.intervals) {
    low.push_back(interval.low);
    high.push_back(interval.high);
  }
  QCPGraph* const edge = plot.addGraph();
  edge->setPen(Qt::NoPen);
  edge->setData(x, low, true);
  QCPGraph* const area = plot.addGraph();
  area->setPen(Qt::NoPen);
  area->setData(x, high, true);
  area->setBrush(translucent(colorOf(styled), kOpacity));
  area->setChannelFillGraph(edge);
}

}  // namespace

bool hasBars(const StyledCurve& styled) {
  return !styled.intervals.empty() && !styled.is_band;
}

void setCurveData(const StyledCurve& styled, CurvePlotValue::Kind kind, QCPGraph& graph) {
  QVector<double> x(styled.curve.x.begin(), styled.curve.x.end());
  QVector<double> y(styled.curve.y.begin(), styled.curve.y.end());
  toAscending(x, y);
  graph.setData(x, y, true);
  // Without steps there are half as many segments to draw while dragging.
  const bool plain = styled.role != StyledCurve::Role::kRun && isDense(styled.curve);
  if (kind == CurvePlotValue::Kind::kPrecisionRecall) {
    // Between two thresholds the precision is that of the larger recall: the area of these
    // rectangles is the average precision.
    graph.setLineStyle(plain ? QCPGraph::lsLine : QCPGraph::lsStepRight);
  }
}

QCPGraph* addCurveGraph(const StyledCurve& styled, CurvePlotValue::Kind kind, QCustomPlot& plot,
                        std::vector<QCPErrorBars*>& bars) {
  if (styled.is_band) {
    addBand(styled, plot);
  }
  QCPGraph* const graph = plot.addGraph();
  setCurveData(styled, kind, *graph);
  if (hasBars(styled)) {
    bars.push_back(intervalBars(*graph, styled, plot));
  }
  if (styled.is_dots) {
    constexpr double kDotSize = 3.0;
    const QColor color = translucent(colorOf(styled), 0.35);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color, color, kDotSize));
  }
  // Thin solid lines are much faster to draw, which matters while dragging.
  graph->setPen(styled.role == StyledCurve::Role::kBackground || styled.is_thin
                    ? linePen(colorOf(styled), 1.0)
                    : dashPen(colorOf(styled), styled.dash, styled.is_strong ? 3.0 : 1.75));
  if (styled.marker != 0 && !styled.is_dots && !hasBars(styled)) {
    addMarkers(styled, *graph);
  }
  return graph;
}

void addCurveMark(const StyledCurve& styled, const QPointF& position, QCustomPlot& plot) {
  constexpr double kMarkSize = 8.0;
  QCPGraph* const mark = plot.addGraph();
  mark->setLineStyle(QCPGraph::lsNone);
  mark->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssDisc, colorOf(styled), colorOf(styled), kMarkSize));
  mark->addData(position.x(), position.y());
}

std::vector<QCPAbstractItem*> addShade(const CurveShade& shade, QCustomPlot& plot) {
  const Theme& theme = currentTheme();
  auto* const area = new QCPItemRect(&plot);
  area->setLayer(QStringLiteral("grid"));
  area->setSelectable(false);
  area->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
  area->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
  area->topLeft->setCoords(shade.range.low, 0.0);
  area->bottomRight->setCoords(shade.range.high, 1.0);
  area->setPen(Qt::NoPen);
  area->setBrush(translucent(theme.muted, 0.18));
  auto* const name = new QCPItemText(&plot);
  name->setLayer(QStringLiteral("axes"));
  name->setSelectable(false);
  name->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  name->position->setCoords(shade.range.low, 0.0);
  name->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
  name->setPadding(QMargins(kGrid, 0, kGrid, 0));
  name->setText(shade.name);
  name->setFont(uiFont(TypeSize::kSmall));
  name->setColor(theme.text);
  // The curves would cross the letters.
  name->setBrush(translucent(theme.panel, 0.6));
  return {area, name};
}

}  // namespace dubito
