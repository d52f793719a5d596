// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/covariance_plot.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/density_gradient_qcp.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// The colours begin at 0 unless there are negative covariances.
Interval colorRangeOf(const Array<double>& covariances) {
  const auto [low, high] = std::ranges::minmax(covariances.values());
  const double begin = std::min(low, 0.0);
  return {begin, high > begin ? high : begin + 1.0};
}

}  // namespace

struct CovariancePlot::Parts {
  QCPColorMap* map;
  QCPColorScale* scale;
  QCPGraph* mark;
};

std::size_t nearestInput(Interval range, std::int64_t count, double x) {
  const double steps = static_cast<double>(count - 1);
  const double share = (x - range.low) / (range.high - range.low);
  return static_cast<std::size_t>(std::lround(std::clamp(share * steps, 0.0, steps)));
}

CovariancePlot::CovariancePlot(QWidget* parent)
    : PlotBase(parent), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("covariancePlot"));
  QCustomPlot& area = plot();
  for (QCPAxis* const axis : area.axisRect()->axes()) {
    axis->setLayer(QStringLiteral("axes"));
    axis->grid()->setVisible(false);
  }
  parts_->map = new QCPColorMap(area.xAxis, area.yAxis);
  parts_->map->setSelectable(QCP::stNone);
  parts_->map->setInterpolate(false);
  parts_->map->setGradient(densityGradient());
  parts_->scale = new QCPColorScale(&area);
  parts_->scale->setBarWidth(2 * kGrid);
  parts_->scale->setGradient(densityGradient());
  auto* const margins = new QCPMarginGroup(&area);
  area.axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
  parts_->scale->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
  area.plotLayout()->addElement(0, 1, parts_->scale);
  parts_->mark = area.addGraph();
  parts_->mark->setSelectable(QCP::stNone);
  enableZoom(*area.axisRect(), {area.xAxis, area.yAxis}, true);
  setAspectLimit(*area.axisRect(), 1.0);
  rebuild();
}

CovariancePlot::~CovariancePlot() = default;

void CovariancePlot::setValue(CovariancePlotValue value) {
  value_ = std::move(value);
  rebuild();
}

void CovariancePlot::setMark(std::optional<double> x) {
  mark_ = x;
  showMark();
  replotSoon();
}

QString CovariancePlot::secondLabel() const {
  return value_.x_label.isEmpty() ? QString() : value_.x_label + QStringLiteral("′");
}

void CovariancePlot::rebuild() {
  styleAxis(*plot().xAxis, value_.x_label);
  styleAxis(*plot().yAxis, secondLabel());
  styleAxis(*parts_->scale->axis(), value_.quantity);
  for (QCPAxis* const axis : {plot().xAxis, plot().yAxis, parts_->scale->axis()}) {
    axis->setTicker(QSharedPointer<RoundTicker>::create(4));
  }
  for (QCPAxis* const axis : {plot().xAxis, plot().yAxis}) {
    setFullRange(*axis, value_.range.low, value_.range.high);
  }
  showCells();
  showMark();
  replotSoon();
}

void CovariancePlot::showCells() {
  parts_->map->setVisible(!value_.values.empty());
  if (value_.values.empty()) {
    return;
  }
  const auto count = static_cast<int>(value_.values.extent(0));
  QCPColorMapData& cells = *parts_->map->data();
  cells.setSize(count, count);
  // The outermost cells have their centres at the ends of the axes.
  const QCPRange inputs(value_.range.low, value_.range.high);
  cells.setRange(inputs, inputs);
  for (int row = 0; row < count; ++row) {
    const auto values = value_.values.row(row);
    for (int column = 0; column < count; ++column) {
      cells.setCell(column, row, values[static_cast<std::size_t>(column)]);
    }
  }
  const Interval colors = colorRangeOf(value_.values);
  parts_->map->setDataRange({colors.low, colors.high});
  parts_->scale->setDataRange(parts_->map->dataRange());
}

void CovariancePlot::showMark() {
  parts_->mark->setVisible(mark_.has_value());
  // White shows on all colours but the last, which is only on the diagonal.
  parts_->mark->setPen(dashPen(Qt::white, 1, 1.5));
  if (mark_) {
    parts_->mark->setData({*mark_, *mark_}, {value_.range.low, value_.range.high}, true);
  }
}

PlotTable CovariancePlot::table() const {
  PlotTable table;
  if (value_.values.empty()) {
    return table;
  }
  table.columns << value_.x_label << secondLabel() << value_.quantity;
  const std::int64_t count = value_.values.extent(0);
  const std::vector<double> inputs = evenlySpaced(value_.range, count);
  for (std::int64_t row = 0; row < count; ++row) {
    for (std::int64_t column = 0; column < count; ++column) {
      const auto x = static_cast<std::size_t>(column);
      table.rows.push_back(
          {inputs[x], inputs[static_cast<std::size_t>(row)], value_.values.row(row)[x]});
    }
  }
  return table;
}

bool CovariancePlot::mouseMoved(const QPointF& position) {
  if (plot().axisRect()->rect().contains(position.toPoint())) {
    Q_EMIT hovered(plot().xAxis->pixelToCoord(position.x()));
  }
  return false;
}

QString CovariancePlot::hoverText(const QPointF& position) const {
  if (value_.values.empty() || !plot().axisRect()->rect().contains(position.toPoint())) {
    return {};
  }
  const std::int64_t count = value_.values.extent(0);
  const std::vector<double> inputs = evenlySpaced(value_.range, count);
  const std::size_t column =
      nearestInput(value_.range, count, plot().xAxis->pixelToCoord(position.x()));
  const std::size_t row =
      nearestInput(value_.range, count, plot().yAxis->pixelToCoord(position.y()));
  return tr("%1 = %2, %3 = %4\n%5: %6")
      .arg(value_.x_label, shortText(inputs[column], 4), secondLabel(), shortText(inputs[row], 4),
           value_.quantity,
           shortText(value_.values.row(static_cast<std::int64_t>(row))[column], 4));
}

}  // namespace dubito
