// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/class_map_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "widgets/density_gradient_qcp.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/point_cloud_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// A small map may be stretched, so that more of its card is used.
constexpr double kAspectLimit = 1.5;
constexpr std::size_t kManyClassPoints = 120;
constexpr std::size_t kVeryManyClassPoints = 600;
// Marks on the map are light with a dark edge in both themes: legible on all of its colours.
const QColor kMapInk(0x16, 0x18, 0x1d);
const QColor kMapLight(Qt::white);
/// Shapes repeat with the fourth class, in other colours.
constexpr PointCloud::Shape kClassShapes[] = {PointCloud::Shape::kDisc, PointCloud::Shape::kDiamond,
                                              PointCloud::Shape::kCross, PointCloud::Shape::kRing};

double within(Interval range, double share) {
  return range.low + share * (range.high - range.low);
}

}  // namespace

struct ClassMapPlot::Parts {
  QCPColorMap* map;
  std::vector<PointCloud*> edges;   ///< one per class, below `points`
  std::vector<PointCloud*> points;  ///< one per class
  std::vector<QCPCurve*> lines;
};

ClassMapPlot::ClassMapPlot(QWidget* parent) : PointPlot(parent), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("classMapPlot"));
  QCustomPlot& area = plot();
  for (QCPAxis* const axis : area.axisRect()->axes()) {
    axis->setLayer(QStringLiteral("axes"));
    axis->grid()->setVisible(false);
  }
  for (const char* const name : {"borders", "classes"}) {
    area.addLayer(QString::fromLatin1(name), area.layer(QStringLiteral("axes")),
                  QCustomPlot::limBelow);
  }
  parts_->map = new QCPColorMap(area.xAxis, area.yAxis);
  parts_->map->setSelectable(QCP::stNone);
  parts_->map->setGradient(densityGradient());
  parts_->map->setDataRange({0.0, 1.0});
  enableZoom(*area.axisRect(), {area.xAxis, area.yAxis}, true);
  setAspectLimit(*area.axisRect(), kAspectLimit);
  rebuild();
}

ClassMapPlot::~ClassMapPlot() = default;

double shareOnScale(double value, Interval scale, bool is_logarithmic) {
  const double share = is_logarithmic
                           ? std::log(value / scale.low) / std::log(scale.high / scale.low)
                           : (value - scale.low) / (scale.high - scale.low);
  return std::clamp(share, 0.0, 1.0);
}

void ClassMapPlot::setValue(ClassMapValue value) {
  value_ = std::move(value);
  pointsChanged();
  rebuild();
}

void ClassMapPlot::setLabelsShown(bool x, bool y) {
  if (x != x_labels_shown_ || y != y_labels_shown_) {
    x_labels_shown_ = x;
    y_labels_shown_ = y;
    rebuild();
  }
}

void ClassMapPlot::rebuild() {
  styleAxis(*plot().xAxis, x_labels_shown_ ? value_.x_label : QString());
  styleAxis(*plot().yAxis, y_labels_shown_ ? value_.y_label : QString());
  plot().xAxis->setTicker(QSharedPointer<RoundTicker>::create());
  plot().yAxis->setTicker(QSharedPointer<RoundTicker>::create());
  plot().xAxis->setTickLabels(x_labels_shown_);
  plot().yAxis->setTickLabels(y_labels_shown_);
  setFullRange(*plot().xAxis, value_.x_range.low, value_.x_range.high);
  setFullRange(*plot().yAxis, value_.y_range.low, value_.y_range.high);
  showMap();
  showBorders();
  showPoints();
  replotSoon();
}

void ClassMapPlot::showMap() {
  parts_->map->setVisible(!value_.values.empty());
  if (value_.values.empty()) {
    return;
  }
  const auto rows = static_cast<int>(value_.values.extent(0));
  const auto columns = static_cast<int>(value_.values.extent(1));
  QCPColorMapData& cells = *parts_->map->data();
  cells.setSize(columns, rows);
  // The map places the centres of the outermost cells at the ends of its range.
  cells.setRange(
      {within(value_.x_range, 0.5 / columns), within(value_.x_range, 1.0 - 0.5 / columns)},
      {within(value_.y_range, 0.5 / rows), within(value_.y_range, 1.0 - 0.5 / rows)});
  for (int row = 0; row < rows; ++row) {
    const auto values = value_.values.row(row);
    for (int column = 0; column < columns; ++column) {
      cells.setCell(column, row,
                    shareOnScale(values[static_cast<std::size_t>(column)], value_.scale,
                                 value_.is_logarithmic));
    }
  }
}

void ClassMapPlot::showBorders() {
  for (QCPCurve* const line : std::exchange(parts_->lines, {})) {
    plot().removePlottable(line);
  }
  const auto add = [this](const Polyline& line, const QPen& pen) {
    auto* const curve = new QCPCurve(plot().xAxis, plot().yAxis);
    curve->setSelectable(QCP::stNone);
    curve->setLayer(QStringLiteral("borders"));
    curve->setData({line.x.begin(), line.x.end()}, {line.y.begin(), line.y.end()});
    curve->setPen(pen);
    curve->setAntialiased(true);
    parts_->lines.push_back(curve);
  };
  for (const std::vector<Polyline>& function : value_.function_borders) {
    for (const Polyline& line : function) {
      add(line, linePen(translucent(kMapLight, 0.75), 1.0));
    }
  }
  for (const Polyline& line : value_.border) {
    add(line, linePen(kMapInk, 3.0));
  }
  for (const Polyline& line : value_.border) {
    add(line, linePen(kMapLight, 1.5));
  }
}

void ClassMapPlot::showPoints() {
  const auto classes = static_cast<std::size_t>(value_.class_names.size());
  for (std::vector<PointCloud*>* const clouds : {&parts_->edges, &parts_->points}) {
    while (clouds->size() > classes) {
      plot().removePlottable(clouds->back());
      clouds->pop_back();
    }
  }
  while (parts_->points.size() < classes) {
    for (std::vector<PointCloud*>* const clouds : {&parts_->edges, &parts_->points}) {
      clouds->push_back(new PointCloud(&plot()));
      clouds->back()->setLayer(QStringLiteral("classes"));
    }
  }
  std::vector<std::vector<QPointF>> points(classes);
  for (std::size_t i = 0; i < value_.point_x.size(); ++i) {
    points[static_cast<std::size_t>(value_.point_class[i])].emplace_back(value_.point_x[i],
                                                                         value_.point_y[i]);
  }
  const std::size_t count = value_.point_x.size();
  const double size = count > kVeryManyClassPoints ? 2.0 : count > kManyClassPoints ? 3.5 : 6.0;
  for (std::size_t c = 0; c < classes; ++c) {
    const PointCloud::Shape shape = kClassShapes[c % std::size(kClassShapes)];
    // Light colours of the dark theme stand out from the dark end of the map, and dark edges from
    // its bright end.
    parts_->points[c]->setMark(shape, Theme::darkTheme().classColor(static_cast<int>(c)), size);
    parts_->edges[c]->setMark(shape, kMapInk, size + 1.5);
    parts_->edges[c]->setPoints(points[c]);
    parts_->points[c]->setPoints(std::move(points[c]));
  }
}

PlotTable ClassMapPlot::table() const {
  PlotTable table;
  table.columns << QStringLiteral("kind") << value_.x_label << value_.y_label
                << QStringLiteral("class") << value_.quantity;
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < value_.point_x.size(); ++i) {
    table.rows.push_back({QStringLiteral("point"), value_.point_x[i], value_.point_y[i],
                          value_.class_names[value_.point_class[i]], none});
  }
  const auto add = [&](const QString& kind, const std::vector<Polyline>& lines) {
    for (const Polyline& line : lines) {
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        table.rows.push_back({kind, line.x[i], line.y[i], QString(), none});
      }
    }
  };
  add(QStringLiteral("border"), value_.border);
  for (std::size_t t = 0; t < value_.function_borders.size(); ++t) {
    add(QStringLiteral("border of function %1").arg(t), value_.function_borders[t]);
  }
  if (value_.values.empty()) {
    return table;
  }
  const std::int64_t rows = value_.values.extent(0);
  const std::int64_t columns = value_.values.extent(1);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const double x = (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
      const double y = (static_cast<double>(row) + 0.5) / static_cast<double>(rows);
      table.rows.push_back({QStringLiteral("cell"), within(value_.x_range, x),
                            within(value_.y_range, y), QString(),
                            value_.values.row(row)[static_cast<std::size_t>(column)]});
    }
  }
  return table;
}

QString ClassMapPlot::hoverText(const QPointF& position) const {
  if (!isInside(position)) {
    return {};
  }
  const QPointF place = valueAt(position);
  QStringList lines;
  if (const int point = pointAt(position); point >= 0) {
    const auto i = static_cast<std::size_t>(point);
    lines << tr("point %1: class %2").arg(point + 1).arg(value_.class_names[value_.point_class[i]]);
  }
  lines << tr("%1 = %2, %3 = %4")
               .arg(value_.x_label, shortText(place.x()), value_.y_label, shortText(place.y()));
  if (!value_.values.empty()) {
    const auto cell = [](Interval range, double value, std::int64_t count) {
      const double share = (value - range.low) / (range.high - range.low);
      return static_cast<std::int64_t>(std::clamp(std::floor(share * static_cast<double>(count)),
                                                  0.0, static_cast<double>(count - 1)));
    };
    const std::int64_t row = cell(value_.y_range, place.y(), value_.values.extent(0));
    const std::int64_t column = cell(value_.x_range, place.x(), value_.values.extent(1));
    lines << tr("%1: %2").arg(
        value_.quantity, shortText(value_.values.row(row)[static_cast<std::size_t>(column)], 4));
  }
  return lines.join(u'\n');
}

}  // namespace dubito
