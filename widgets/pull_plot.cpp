// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pull_plot.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "widgets/curve_legend_qcp.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/point_cloud_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kPullSize = 5.0;
constexpr double kPullReach = 8.0;  ///< of the mouse, in pixels
constexpr std::pair<PointCloud::Shape, QCPScatterStyle::ScatterShape> kPullShapes[] = {
    {PointCloud::Shape::kDisc, QCPScatterStyle::ssDisc},
    {PointCloud::Shape::kDiamond, QCPScatterStyle::ssDiamond},
    {PointCloud::Shape::kCross, QCPScatterStyle::ssCross},
    {PointCloud::Shape::kRing, QCPScatterStyle::ssCircle}};

/// Groups with similar hues, those four apart, differ in shape.
std::size_t pullShape(std::size_t group) {
  return (group + group / std::size(kPullShapes)) % std::size(kPullShapes);
}

}  // namespace

struct PullPlot::Parts {
  std::vector<PointCloud*> clouds;
  std::vector<QCPGraph*> samples;  ///< in the legend
  QCPCurve* circle = nullptr;
  CurveLegend* legend = nullptr;
};

PullPlot::PullPlot(QWidget* parent) : PlotBase(parent), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("pullPlot"));
  QCustomPlot& area = plot();
  parts_->circle = new QCPCurve(area.xAxis, area.yAxis);
  parts_->circle->setSelectable(QCP::stNone);
  parts_->legend = addLegendAbove(area);
  enableZoom(*area.axisRect(), {area.xAxis, area.yAxis}, true);
  setAspectLimit(*area.axisRect(), 1.0);
  rebuild();
}

PullPlot::~PullPlot() = default;

void PullPlot::setValue(PullPlotValue value) {
  value_ = std::move(value);
  rebuild();
}

void PullPlot::rebuild() {
  const Theme& theme = currentTheme();
  styleAxis(*plot().xAxis, value_.x_label);
  styleAxis(*plot().yAxis, value_.y_label);
  plot().xAxis->setTicker(QSharedPointer<RoundTicker>::create());
  plot().yAxis->setTicker(QSharedPointer<RoundTicker>::create());
  setFullRange(*plot().xAxis, value_.x_range.low, value_.x_range.high);
  setFullRange(*plot().yAxis, value_.y_range.low, value_.y_range.high);
  for (PointCloud* const cloud : std::exchange(parts_->clouds, {})) {
    plot().removePlottable(cloud);
  }
  for (std::size_t g = 0; g < value_.groups.size(); ++g) {
    auto* const cloud = new PointCloud(&plot());
    cloud->setPoints(value_.groups[g].points);
    cloud->setMark(kPullShapes[pullShape(g)].first, theme.classColor(static_cast<int>(g)),
                   kPullSize);
    parts_->clouds.push_back(cloud);
  }
  QVector<double> x;
  QVector<double> y;
  if (value_.circle) {
    constexpr int kCorners = 180;
    for (int i = 0; i <= kCorners; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kCorners;
      x.push_back(*value_.circle * std::cos(angle));
      y.push_back(*value_.circle * std::sin(angle));
    }
  }
  parts_->circle->setData(x, y);
  parts_->circle->setPen(dashPen(theme.text, 1, 1.5));
  showLegend();
  replotSoon();
}

void PullPlot::showLegend() {
  parts_->legend->setEntries({}, {});
  for (QCPGraph* const sample : std::exchange(parts_->samples, {})) {
    plot().removeGraph(sample);
  }
  std::vector<LegendEntry> entries;
  for (std::size_t g = 0; g < value_.groups.size(); ++g) {
    const QColor color = currentTheme().classColor(static_cast<int>(g));
    QCPGraph* const sample = plot().addGraph();
    sample->setLineStyle(QCPGraph::lsNone);
    sample->setScatterStyle(
        QCPScatterStyle(kPullShapes[pullShape(g)].second, color, color, kPullSize + 1.0));
    parts_->samples.push_back(sample);
    entries.push_back({sample, value_.groups[g].name, {}, {}});
  }
  parts_->legend->setVisible(!entries.empty());
  parts_->legend->setEntries({}, std::move(entries));
  fitLegend(plot().size());
}

void PullPlot::fitLegend(const QSize& room) {
  if (!parts_->samples.empty()) {
    parts_->legend->fitLines(room.width());
  }
}

PlotTable PullPlot::table() const {
  PlotTable table;
  table.columns << QStringLiteral("chosen") << value_.x_label << value_.y_label;
  for (const PullPlotValue::Group& group : value_.groups) {
    for (const QPointF& point : group.points) {
      table.rows.push_back({group.name, point.x(), point.y()});
    }
  }
  return table;
}

QString PullPlot::hoverText(const QPointF& position) const {
  QString text;
  double nearest = kPullReach;
  for (const PullPlotValue::Group& group : value_.groups) {
    for (const QPointF& point : group.points) {
      const double distance = std::hypot(plot().xAxis->coordToPixel(point.x()) - position.x(),
                                         plot().yAxis->coordToPixel(point.y()) - position.y());
      if (distance < nearest) {
        nearest = distance;
        text = QStringLiteral("%1\n%2 %3\n%4 %5")
                   .arg(group.name, value_.x_label, shortText(point.x()), value_.y_label,
                        shortText(point.y()));
      }
    }
  }
  return text;
}

}  // namespace dubito
