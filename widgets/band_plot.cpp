// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/band_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// Half the width of the bands, in standard deviations.
constexpr double kBandWidth = 2.0;
/// With less height, a legend would take too much of the curve.
constexpr int kMinHeightForLegend = 260;

QVector<double> toQVector(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

QVector<double> shifted(const std::vector<double>& mean, const std::vector<double>& std,
                        double factor) {
  QVector<double> result;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    result.push_back(mean[i] + factor * std[i]);
  }
  return result;
}

}  // namespace

struct BandPlot::Parts {
  QCPGraph* total_low;
  QCPGraph* total_high;
  QCPGraph* epistemic_low;
  QCPGraph* epistemic_high;
  QCPGraph* truth;
  QCPGraph* mean;
  QCPGraph* points;
  QCPLegend* legend;
  std::vector<QCPGraph*> draws;
};

BandPlot::BandPlot(QWidget* parent) : PointPlot(parent), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("bandPlot"));
  QCustomPlot& area = plot();
  for (QCPAxis* const axis : area.axisRect()->axes()) {
    axis->setLayer(QStringLiteral("axes"));
    axis->grid()->setLayer(QStringLiteral("grid"));
  }
  // Bands below single functions below the mean and the points.
  area.addLayer(QStringLiteral("draws"), area.layer(QStringLiteral("main")), QCustomPlot::limBelow);
  area.addLayer(QStringLiteral("bands"), area.layer(QStringLiteral("draws")),
                QCustomPlot::limBelow);
  const auto add = [&area](const QString& layer = QStringLiteral("main")) {
    QCPGraph* const graph = area.addGraph();
    graph->setSelectable(QCP::stNone);
    graph->setLayer(layer);
    return graph;
  };
  for (QCPGraph** const graph :
       {&parts_->total_low, &parts_->total_high, &parts_->epistemic_low, &parts_->epistemic_high}) {
    *graph = add(QStringLiteral("bands"));
  }
  parts_->total_high->setChannelFillGraph(parts_->total_low);
  parts_->epistemic_high->setChannelFillGraph(parts_->epistemic_low);
  parts_->truth = add();
  parts_->points = add();
  parts_->mean = add();
  parts_->points->setLineStyle(QCPGraph::lsNone);
  // Above the axes, where it covers nothing.
  parts_->legend = area.legend;
  area.axisRect()->insetLayout()->take(area.legend);
  area.plotLayout()->insertRow(0);
  // With an element that takes all width: a column is never wider than what is in it may be.
  auto* const above = new QCPLayoutGrid;
  area.plotLayout()->addElement(0, 0, above);
  above->addElement(0, 0, area.legend);
  above->addElement(0, 1, new QCPLayoutElement(&area));
  area.plotLayout()->setRowStretchFactor(0, 0.001);
  area.plotLayout()->setRowSpacing(0);
  area.legend->setLayer(QStringLiteral("legend"));
  area.legend->setMargins(QMargins());
  area.legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
  // Once: methods at work rebuild the plot often, and a new one would have too many ticks at first.
  area.xAxis->setTicker(QSharedPointer<RoundTicker>::create());
  area.yAxis->setTicker(QSharedPointer<RoundTicker>::create(4));
  enableZoom(*area.axisRect(), {area.xAxis, area.yAxis}, true);
  for (const QCPAxis* const axis : {area.xAxis, area.yAxis}) {
    connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &BandPlot::takeRanges);
  }
  rebuild();
}

BandPlot::~BandPlot() = default;

QString BandPlot::epistemicText() {
  return tr("± 2σ of the curve (epistemic)");
}
QString BandPlot::totalText() {
  return tr("± 2σ with noise");
}

void BandPlot::setValue(BandPlotValue value) {
  value_ = std::move(value);
  pointsChanged();
  rebuild();
}

void BandPlot::setView(Interval x, Interval y, bool is_fitted) {
  value_.x_range = x;
  value_.y_range = y;
  value_.is_fitted = is_fitted;
  showRanges();
  replotSoon();
}

void BandPlot::resetZoom() {
  Q_EMIT fitRequested();
}

void BandPlot::showRanges() {
  showing_ranges_ = true;
  plot().xAxis->setRange(value_.x_range.low, value_.x_range.high);
  plot().yAxis->setRange(value_.y_range.low, value_.y_range.high);
  showing_ranges_ = false;
  showZoom();
}

void BandPlot::takeRanges() {
  if (showing_ranges_) {
    return;
  }
  const QCPRange x = plot().xAxis->range();
  const QCPRange y = plot().yAxis->range();
  value_.x_range = {x.lower, x.upper};
  value_.y_range = {y.lower, y.upper};
  value_.is_fitted = false;
  showZoom();
  Q_EMIT viewChanged(value_.x_range, value_.y_range);
}

bool BandPlot::mouseMoved(const QPointF& position) {
  if (isInside(position)) {
    Q_EMIT hovered(valueAt(position).x());
  }
  return PointPlot::mouseMoved(position);
}

void BandPlot::setXTitleShown(bool shown) {
  if (shown != x_title_shown_) {
    x_title_shown_ = shown;
    rebuild();
  }
}

void BandPlot::rebuild() {
  styleAxis(*plot().xAxis, x_title_shown_ ? value_.x_label : QString());
  styleAxis(*plot().yAxis, value_.y_label);
  showRanges();
  showBands();
  showDraws();
  showPoints();
  showLegend();
  replotSoon();
}

void BandPlot::showBands() {
  const Theme& theme = currentTheme();
  const QColor color = theme.runColor(value_.color);
  const QVector<double> x = toQVector(value_.x);
  parts_->total_low->setData(x, shifted(value_.mean, value_.std_total, -kBandWidth), true);
  parts_->total_high->setData(x, shifted(value_.mean, value_.std_total, kBandWidth), true);
  parts_->epistemic_low->setData(x, shifted(value_.mean, value_.std_epistemic, -kBandWidth), true);
  parts_->epistemic_high->setData(x, shifted(value_.mean, value_.std_epistemic, kBandWidth), true);
  parts_->mean->setData(x, toQVector(value_.mean), true);
  // A thin dotted outline tells the bands apart without colour.
  for (QCPGraph* const graph : {parts_->total_low, parts_->total_high}) {
    graph->setPen(dashPen(translucent(color, 0.6), 2, 1.0));
  }
  for (QCPGraph* const graph : {parts_->epistemic_low, parts_->epistemic_high}) {
    graph->setPen(linePen(translucent(color, 0.7), 1.0));
  }
  parts_->total_high->setBrush(translucent(color, 0.14));
  parts_->epistemic_high->setBrush(translucent(color, 0.3));
  parts_->mean->setPen(dashPen(color, value_.dash, 2.0));
  parts_->truth->setPen(dashPen(theme.muted, 1, 1.25));
  parts_->truth->setVisible(value_.truth.has_value());
  if (value_.truth) {
    parts_->truth->setData(toQVector(value_.truth->x), toQVector(value_.truth->y), true);
  }
}

void BandPlot::showDraws() {
  while (parts_->draws.size() > value_.draws.size()) {
    plot().removeGraph(parts_->draws.back());
    parts_->draws.pop_back();
  }
  while (parts_->draws.size() < value_.draws.size()) {
    QCPGraph* const graph = plot().addGraph();
    graph->setSelectable(QCP::stNone);
    graph->setLayer(QStringLiteral("draws"));
    parts_->draws.push_back(graph);
  }
  const QColor color = translucent(currentTheme().runColor(value_.color), 0.45);
  for (std::size_t i = 0; i < parts_->draws.size(); ++i) {
    parts_->draws[i]->setPen(linePen(color, 1.0));
    parts_->draws[i]->setData(toQVector(value_.draws[i].x), toQVector(value_.draws[i].y), true);
  }
}

void BandPlot::showPoints() {
  const Theme& theme = currentTheme();
  constexpr std::size_t kFewPoints = 40;
  constexpr std::size_t kManyPoints = 400;
  const std::size_t count = value_.point_x.size();
  const double size = count > kManyPoints ? 2.5 : count > kFewPoints ? 4.0 : 6.0;
  // Translucent, so that the band shows between many points.
  parts_->points->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssCircle, Qt::NoPen, translucent(theme.text, 0.6), size));
  // Unsorted data would be sorted by the plot; the value keeps the order of the points.
  parts_->points->setData(toQVector(value_.point_x), toQVector(value_.point_y));
}

void BandPlot::showLegend() {
  const Theme& theme = currentTheme();
  QCPLegend& legend = *parts_->legend;
  legend.clearItems();
  // A picture without it could not be read.
  const bool has_room = isExporting() || legend_room_.height() >= kMinHeightForLegend;
  legend.setVisible(has_room && !value_.x.empty());
  if (!legend.visible()) {
    return;
  }
  const QFont font = uiFont(TypeSize::kSmall);
  legend.setFont(font);
  legend.setTextColor(theme.muted);
  legend.setBrush(translucent(theme.panel, 0.85));
  legend.setBorderPen(Qt::NoPen);
  legend.setRowSpacing(0);
  std::vector<std::pair<QCPGraph*, QString>> entries{{parts_->mean, tr("mean")},
                                                     {parts_->epistemic_high, epistemicText()},
                                                     {parts_->total_high, totalText()}};
  if (value_.truth) {
    entries.emplace_back(parts_->truth, tr("truth"));
  }
  // As many next to each other as fit.
  const QFontMetrics metrics(font);
  int widest = 1;
  for (const auto& [graph, name] : entries) {
    widest = std::max(widest, metrics.horizontalAdvance(name) + legend.iconSize().width() +
                                  legend.iconTextPadding() + legend.columnSpacing());
  }
  legend.simplify();
  legend.setWrap(std::max(1, legend_room_.width() / widest));
  for (const auto& [graph, name] : entries) {
    graph->setName(name);
    legend.addItem(new QCPPlottableLegendItem(&legend, graph));
  }
}

void BandPlot::fitLegend(const QSize& room) {
  if (room != legend_room_) {
    legend_room_ = room;
    showLegend();
    replotSoon();
  }
}

PlotTable BandPlot::table() const {
  PlotTable table;
  table.columns << QStringLiteral("kind") << value_.x_label << value_.y_label
                << QStringLiteral("std_epistemic") << QStringLiteral("std_total");
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < value_.x.size(); ++i) {
    table.rows.push_back({QStringLiteral("prediction"), value_.x[i], value_.mean[i],
                          value_.std_epistemic[i], value_.std_total[i]});
  }
  for (std::size_t draw = 0; draw < value_.draws.size(); ++draw) {
    const Curve& curve = value_.draws[draw];
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      table.rows.push_back(
          {QStringLiteral("draw %1").arg(draw), curve.x[i], curve.y[i], none, none});
    }
  }
  for (std::size_t i = 0; i < value_.point_x.size(); ++i) {
    table.rows.push_back(
        {QStringLiteral("point"), value_.point_x[i], value_.point_y[i], none, none});
  }
  return table;
}

QString BandPlot::hoverText(const QPointF& position) const {
  if (!isInside(position)) {
    return {};
  }
  if (const int point = pointAt(position); point >= 0) {
    const auto i = static_cast<std::size_t>(point);
    return tr("point %1: %2 = %3, %4 = %5")
        .arg(point + 1)
        .arg(value_.x_label, shortText(value_.point_x[i], 4), value_.y_label,
             shortText(value_.point_y[i], 4));
  }
  if (value_.x.empty()) {
    return {};
  }
  const double x = valueAt(position).x();
  const auto nearest =
      std::ranges::min_element(value_.x, {}, [x](double place) { return std::abs(place - x); });
  const auto i = static_cast<std::size_t>(nearest - value_.x.begin());
  return tr("%1 = %2\nmean %3\nσ of the curve (epistemic) %4\nσ with noise %5")
      .arg(value_.x_label, shortText(value_.x[i], 4), shortText(value_.mean[i], 4),
           shortText(value_.std_epistemic[i], 3), shortText(value_.std_total[i], 3));
}

}  // namespace dubito
