// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/density_path_plot.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/iso_lines.h"
#include "widgets/curve_legend_qcp.h"
#include "widgets/density_color.h"
#include "widgets/density_gradient_qcp.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/point_cloud_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

// Marks are light with a dark edge: legible on all colours of the map.
const QColor kInk(0x16, 0x18, 0x1d);
const QColor kLight(Qt::white);
constexpr double kPointSize = 3.0;
/// More points are smaller, and their edges fainter: else they would cover the density.
constexpr std::size_t kManyPoints = 1500;
constexpr double kSmallPointSize = 1.6;
constexpr double kEdgeWidth = 0.75;
/// A diverging path is cut where it is this many widths of the picture away from its middle.
constexpr double kFarWidths = 3.0;
/// Legible on the colours of the map and on both panels.
const QColor kMomentum(0xff, 0x4d, 0x5e);

double lerp(Interval range, double share) {
  return range.low + share * (range.high - range.low);
}

double shareOf(Interval range, double value) {
  return (value - range.low) / (range.high - range.low);
}

QColor gaussianColor(int style) {
  return style % 2 == 0 ? QColor(0xff, 0x8a, 0x4c) : QColor(0xff, 0x9a, 0xd5);
}

QCPCurve* addCurve(QCustomPlot& plot, const std::vector<QPointF>& points, const QPen& pen,
                   const QString& layer) {
  auto* const curve = new QCPCurve(plot.xAxis, plot.yAxis);
  QVector<double> x;
  QVector<double> y;
  for (const QPointF& point : points) {
    x << point.x();
    y << point.y();
  }
  curve->setSelectable(QCP::stNone);
  curve->setLayer(layer);
  curve->setData(x, y);
  curve->setPen(pen);
  curve->setAntialiased(true);
  return curve;
}

/// The part of a path that can be drawn.
struct DrawnPath {
  std::vector<QPointF> points;
  QPointF start;
  std::optional<QPointF> end;  ///< nullopt: outside, or the start itself
};

/// The points from `first` on, cut where a diverging path ends far outside the picture.
template <class Iterator>
std::vector<QPointF> drawnPart(const PlaneDensity& density, Iterator first, Iterator last) {
  std::vector<QPointF> drawn;
  for (; first != last; ++first) {
    const double reach = std::max(std::abs(shareOf(density.x_range, first->x()) - 0.5),
                                  std::abs(shareOf(density.y_range, first->y()) - 0.5));
    if (!std::isfinite(reach)) {
      break;
    }
    if (reach <= kFarWidths) {
      drawn.push_back(*first);
      continue;
    }
    if (!drawn.empty()) {
      const double part = kFarWidths / (reach + kFarWidths);
      drawn.push_back(drawn.back() + part * (*first - drawn.back()));
    }
    break;
  }
  return drawn;
}

/// Both parts of a path, before and after its start; nullopt if nothing can be drawn.
std::optional<DrawnPath> drawnPath(const DensityPathValue& value) {
  const std::vector<QPointF>& path = value.path;
  if (path.empty()) {
    return std::nullopt;
  }
  const auto start = path.begin() + static_cast<std::ptrdiff_t>(value.path_start);
  const std::vector<QPointF> after = drawnPart(*value.density, start, path.end());
  const std::vector<QPointF> before =
      drawnPart(*value.density, std::make_reverse_iterator(start + 1), path.rend());
  if (after.empty()) {
    return std::nullopt;
  }
  DrawnPath drawn{{before.rbegin(), before.rend() - 1}, path[value.path_start], std::nullopt};
  drawn.points.insert(drawn.points.end(), after.begin(), after.end());
  const std::size_t end = value.path_end.value_or(path.size() - 1);
  const auto isDrawn = [](const std::vector<QPointF>& part, std::size_t index,
                          const QPointF& point) {
    return index < part.size() && part[index] == point;
  };
  if (end != value.path_start &&
      (end > value.path_start ? isDrawn(after, end - value.path_start, path[end])
                              : isDrawn(before, value.path_start - end, path[end]))) {
    drawn.end = path[end];
  }
  return drawn;
}

}  // namespace

struct DensityPathPlot::Parts {
  QCPColorMap* map;
  PointCloud* edges;  ///< below `points`, a little larger
  PointCloud* points;
  CurveLegend* legend;
  std::vector<QCPGraph*> samples;  ///< in the legend
  std::shared_ptr<const PlaneDensity> shown;
  std::vector<QCPAbstractPlottable*> lines;   ///< contours; remade with the density
  std::vector<QCPAbstractPlottable*> others;  ///< remade with each value
  std::vector<QCPAbstractItem*> arrow;        ///< likewise
};

DensityPathPlot::DensityPathPlot(QWidget* parent)
    : PlotBase(parent), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("densityPathPlot"));
  QCustomPlot& area = plot();
  for (QCPAxis* const axis : area.axisRect()->axes()) {
    axis->setLayer(QStringLiteral("axes"));
    axis->grid()->setVisible(false);
  }
  for (const char* const name : {"contours", "states", "gaussians", "path"}) {
    area.addLayer(QString::fromLatin1(name), area.layer(QStringLiteral("axes")),
                  QCustomPlot::limBelow);
  }
  parts_->map = new QCPColorMap(area.xAxis, area.yAxis);
  parts_->map->setSelectable(QCP::stNone);
  parts_->map->setVisible(false);
  parts_->map->setGradient(densityGradient());
  parts_->map->setDataRange({-kDepth, 0.0});
  for (PointCloud** const cloud : {&parts_->edges, &parts_->points}) {
    *cloud = new PointCloud(&area);
    (*cloud)->setLayer(QStringLiteral("states"));
  }
  parts_->legend = addLegendAbove(area);
  enableZoom(*area.axisRect(), {area.xAxis, area.yAxis}, true);
  area.setCursor(Qt::CrossCursor);
  rebuild();
}

DensityPathPlot::~DensityPathPlot() = default;

QString DensityPathPlot::pathText(bool accepted) {
  return accepted ? tr("last proposal from ○ to ●: accepted")
                  : tr("last proposal from ○ to ×: rejected");
}

QString DensityPathPlot::momentumText() {
  return tr("momentum at the start");
}

void DensityPathPlot::setValue(DensityPathValue value) {
  value_ = std::move(value);
  rebuild();
}

void DensityPathPlot::rebuild() {
  styleAxis(*plot().xAxis, value_.density ? value_.density->x_label : QString());
  styleAxis(*plot().yAxis, value_.density ? value_.density->y_label : QString());
  plot().xAxis->setTicker(QSharedPointer<RoundTicker>::create());
  plot().yAxis->setTicker(QSharedPointer<RoundTicker>::create());
  // The legend refers to the samples.
  parts_->legend->setEntries({}, {});
  for (QCPGraph* const sample : std::exchange(parts_->samples, {})) {
    plot().removeGraph(sample);
  }
  for (QCPAbstractPlottable* const other : std::exchange(parts_->others, {})) {
    plot().removePlottable(other);
  }
  for (QCPAbstractItem* const item : std::exchange(parts_->arrow, {})) {
    plot().removeItem(item);
  }
  if (parts_->shown != value_.density) {
    showDensity();
  }
  const bool visible = value_.density != nullptr;
  parts_->points->setPoints(visible ? value_.points : std::vector<QPointF>());
  const bool many = value_.points.size() > kManyPoints;
  parts_->points->setMark(PointCloud::Shape::kDisc, many ? translucent(kLight, 0.75) : kLight,
                          many ? kSmallPointSize : kPointSize);
  // Without a dark edge, a light point is lost on the bright end of the colours.
  parts_->edges->setPoints(parts_->points->points());
  parts_->edges->setMark(PointCloud::Shape::kDisc, translucent(kInk, many ? 0.35 : 0.6),
                         (many ? kSmallPointSize : kPointSize) + 2.0 * kEdgeWidth);
  if (visible) {
    showGaussians();
    showMomentum();
    showPath();
  }
  showLegend();
  replotSoon();
}

void DensityPathPlot::showDensity() {
  parts_->shown = value_.density;
  for (QCPAbstractPlottable* const line : std::exchange(parts_->lines, {})) {
    plot().removePlottable(line);
  }
  parts_->map->setVisible(value_.density != nullptr);
  if (!value_.density) {
    return;
  }
  const PlaneDensity& density = *value_.density;
  const auto rows = static_cast<int>(density.log_density.extent(0));
  const auto columns = static_cast<int>(density.log_density.extent(1));
  setFullRange(*plot().xAxis, density.x_range.low, density.x_range.high);
  setFullRange(*plot().yAxis, density.y_range.low, density.y_range.high);
  QCPColorMapData& cells = *parts_->map->data();
  cells.setSize(columns, rows);
  // The map places the centres of the outermost cells at the ends of its range.
  cells.setRange({lerp(density.x_range, 0.5 / columns), lerp(density.x_range, 1.0 - 0.5 / columns)},
                 {lerp(density.y_range, 0.5 / rows), lerp(density.y_range, 1.0 - 0.5 / rows)});
  for (int row = 0; row < rows; ++row) {
    const auto values = density.log_density.row(row);
    for (int column = 0; column < columns; ++column) {
      cells.setCell(column, row, std::max(values[static_cast<std::size_t>(column)], -kDepth));
    }
  }
  showLines();
}

void DensityPathPlot::showLines() {
  const PlaneDensity& density = *value_.density;
  for (const DensityLevel& level : density.levels) {
    const QColor color = onDensityColor(1.0 + level.log_density / kDepth);
    for (const Polyline& line : isoLines(density.log_density, level.log_density)) {
      std::vector<QPointF> points;
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        points.emplace_back(lerp(density.x_range, line.x[i]), lerp(density.y_range, line.y[i]));
      }
      parts_->lines.push_back(addCurve(plot(), points, linePen(translucent(color, 0.75), 1.0),
                                       QStringLiteral("contours")));
    }
  }
}

void DensityPathPlot::showGaussians() {
  const QString layer = QStringLiteral("gaussians");
  for (const DrawnGaussian& gaussian : value_.gaussians) {
    for (const DensityLevel& level : value_.density->levels) {
      const std::vector<QPointF> points = ellipseOf(gaussian, level.share);
      parts_->others.push_back(
          addCurve(plot(), points, linePen(translucent(kInk, 0.6), 3.5), layer));
      parts_->others.push_back(addCurve(
          plot(), points, dashPen(gaussianColor(gaussian.style), 1 + gaussian.style, 2.0), layer));
    }
  }
}

void DensityPathPlot::showPath() {
  const std::optional<DrawnPath> drawn = drawnPath(value_);
  if (!drawn) {
    return;
  }
  const QString layer = QStringLiteral("path");
  parts_->others.push_back(
      addCurve(plot(), drawn->points, linePen(translucent(kInk, 0.8), 4.0), layer));
  parts_->others.push_back(addCurve(plot(), drawn->points, linePen(kLight, 2.0), layer));
  const auto addMark = [&](const QPointF& place, const QCPScatterStyle& style) {
    QCPCurve* const mark = addCurve(plot(), {place}, Qt::NoPen, layer);
    mark->setLineStyle(QCPCurve::lsNone);
    mark->setScatterStyle(style);
    parts_->others.push_back(mark);
  };
  addMark(drawn->start,
          QCPScatterStyle(QCPScatterStyle::ssCircle, linePen(kInk, 1.5), QBrush(kLight), 7.0));
  if (!drawn->end) {
    return;
  }
  if (value_.path_accepted) {
    addMark(*drawn->end,
            QCPScatterStyle(QCPScatterStyle::ssCircle, linePen(kLight, 2.0), QBrush(kInk), 11.0));
  } else {
    addMark(*drawn->end, QCPScatterStyle(QCPScatterStyle::ssCross, linePen(kInk, 5.0), {}, 11.0));
    addMark(*drawn->end, QCPScatterStyle(QCPScatterStyle::ssCross, linePen(kLight, 2.5), {}, 10.0));
  }
}

void DensityPathPlot::showMomentum() {
  if (!value_.momentum || value_.path.empty()) {
    return;
  }
  const PlaneDensity& density = *value_.density;
  const double unit = kMomentumShare * std::min(density.x_range.high - density.x_range.low,
                                                density.y_range.high - density.y_range.low);
  const QPointF start = value_.path[value_.path_start];
  const QPointF end = start + unit * *value_.momentum;
  // A wider one below, so that the arrow stands out from the map.
  for (const auto& [color, width] : {std::pair(kInk, 4.5), std::pair(kMomentum, 2.25)}) {
    auto* const arrow = new QCPItemLine(&plot());
    arrow->setLayer(QStringLiteral("path"));
    arrow->setSelectable(false);
    arrow->start->setCoords(start);
    arrow->end->setCoords(end);
    arrow->setPen(linePen(color, width));
    arrow->setHead(QCPLineEnding(QCPLineEnding::esSpikeArrow, 8.0, 9.0));
    parts_->arrow.push_back(arrow);
  }
}

void DensityPathPlot::showLegend() {
  const Theme& theme = currentTheme();
  std::vector<LegendEntry> entries;
  // Samples in colours that are legible on the panel.
  const auto add = [&](const QString& name, const QString& short_name, const QPen& pen) {
    QCPGraph* const sample = plot().addGraph();
    sample->setPen(pen);
    parts_->samples.push_back(sample);
    entries.push_back({sample, name, short_name, {}});
  };
  if (value_.density) {
    QStringList shares;
    for (const DensityLevel& level : value_.density->levels) {
      shares << QString::number(100.0 * level.share);
    }
    if (!shares.isEmpty()) {
      add(shares.join(QStringLiteral(" · ")) + tr(" %"), {}, linePen(theme.muted, 1.0));
    }
    if (!value_.path.empty()) {
      if (value_.path_name.isEmpty()) {
        add(pathText(value_.path_accepted), value_.path_accepted ? tr("accepted") : tr("rejected"),
            linePen(theme.text, 2.0));
      } else {
        add(value_.path_name, tr("trajectory"), linePen(theme.text, 2.0));
      }
      if (value_.momentum) {
        add(momentumText(), tr("momentum"), linePen(kMomentum, 2.25));
      }
    }
    for (const DrawnGaussian& gaussian : value_.gaussians) {
      add(gaussian.name, {}, dashPen(gaussianColor(gaussian.style), 1 + gaussian.style, 2.0));
    }
  }
  parts_->legend->setVisible(!entries.empty());
  parts_->legend->setEntries({}, std::move(entries));
  fitLegend(plot().size());
}

void DensityPathPlot::fitLegend(const QSize& room) {
  if (!parts_->samples.empty()) {
    parts_->legend->fitLines(room.width());
  }
}

PlotTable DensityPathPlot::table() const {
  PlotTable table;
  if (!value_.density) {
    return table;
  }
  const PlaneDensity& density = *value_.density;
  table.columns << QStringLiteral("kind") << density.x_label << density.y_label
                << QStringLiteral("ln density");
  const double none = std::numeric_limits<double>::quiet_NaN();
  const auto add = [&](const QString& kind, const std::vector<QPointF>& points, double value) {
    for (const QPointF& point : points) {
      table.rows.push_back({kind, point.x(), point.y(), value});
    }
  };
  add(QStringLiteral("state"), value_.points, none);
  add(value_.path_accepted ? QStringLiteral("accepted path") : QStringLiteral("rejected path"),
      value_.path, none);
  for (const DrawnGaussian& gaussian : value_.gaussians) {
    for (const DensityLevel& level : density.levels) {
      add(QStringLiteral("%1 %2").arg(gaussian.name).arg(level.share),
          ellipseOf(gaussian, level.share), none);
    }
  }
  for (const DensityLevel& level : density.levels) {
    for (const Polyline& line : isoLines(density.log_density, level.log_density)) {
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        add(QStringLiteral("contour %1").arg(level.share),
            {{lerp(density.x_range, line.x[i]), lerp(density.y_range, line.y[i])}},
            level.log_density);
      }
    }
  }
  const std::int64_t rows = density.log_density.extent(0);
  const std::int64_t columns = density.log_density.extent(1);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const double x = (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
      const double y = (static_cast<double>(row) + 0.5) / static_cast<double>(rows);
      add(QStringLiteral("density"), {{lerp(density.x_range, x), lerp(density.y_range, y)}},
          density.log_density.row(row)[static_cast<std::size_t>(column)]);
    }
  }
  return table;
}

bool DensityPathPlot::isInside(const QPointF& position) const {
  return value_.density && plot().axisRect()->rect().contains(position.toPoint());
}

QString DensityPathPlot::hoverText(const QPointF& position) const {
  if (!isInside(position)) {
    return {};
  }
  const PlaneDensity& density = *value_.density;
  const QPointF place(plot().xAxis->pixelToCoord(position.x()),
                      plot().yAxis->pixelToCoord(position.y()));
  const auto cell = [](Interval range, double value, std::int64_t count) {
    const double index = std::floor(shareOf(range, value) * static_cast<double>(count));
    return static_cast<std::int64_t>(std::clamp(index, 0.0, static_cast<double>(count - 1)));
  };
  const std::int64_t row = cell(density.y_range, place.y(), density.log_density.extent(0));
  const std::int64_t column = cell(density.x_range, place.x(), density.log_density.extent(1));
  const double value = density.log_density.row(row)[static_cast<std::size_t>(column)];
  return tr("%1 = %2, %3 = %4\ndensity: %5 of the highest\nClick to start the chains here")
      .arg(density.x_label, shortText(place.x()), density.y_label, shortText(place.y()),
           shortText(std::exp(value)));
}

void DensityPathPlot::clicked(const QPointF& position) {
  if (isInside(position)) {
    Q_EMIT startRequested(plot().xAxis->pixelToCoord(position.x()),
                          plot().yAxis->pixelToCoord(position.y()));
  }
}

std::vector<QPointF> ellipseOf(const DrawnGaussian& gaussian, double share) {
  const auto& c = gaussian.covariance;
  // Cholesky factor of the covariance.
  const double first = std::sqrt(c[0]);
  const double cross = c[1] / first;
  const double second = std::sqrt(c[3] - cross * cross);
  if (!(first > 0.0) || !(second > 0.0)) {
    return {};
  }
  constexpr int kPoints = 120;
  const double radius = std::sqrt(-2.0 * std::log1p(-share));
  std::vector<QPointF> points;
  for (int i = 0; i <= kPoints; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kPoints;
    const double u = radius * std::cos(angle);
    const double v = radius * std::sin(angle);
    points.emplace_back(gaussian.mean[0] + first * u, gaussian.mean[1] + cross * u + second * v);
  }
  return points;
}

}  // namespace dubito
