// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scatter_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "widgets/number_text.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/point_cloud_qcp.h"
#include "widgets/scatter_map_qcp.h"

namespace dubito {
namespace {

constexpr double kReach = 12.0;
constexpr double kPointDragDistance = 4.0;
constexpr double kPointSize = 4.5;
// Smaller on the colours of counts, to cover less of them.
constexpr double kSmallPointSize = 3.0;
constexpr double kSelectedPointSize = 2.0;

constexpr PointCloud::Shape kShapes[] = {PointCloud::Shape::kDisc, PointCloud::Shape::kCross,
                                         PointCloud::Shape::kDiamond, PointCloud::Shape::kRing};

/// Each role has its own shape, so that groups differ without colour.
PointCloud::Shape shapeOf(ColorRole role) {
  switch (role) {
    case ColorRole::kMisclassified:
      return kShapes[1];
    case ColorRole::kOod:
      return kShapes[2];
    case ColorRole::kMuted:
      return kShapes[3];
    default:
      return kShapes[0];
  }
}

Interval ordered(double a, double b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

double ScatterBackdrop::at(double x_value, double y_value) const {
  const auto cell = [](Interval span, int count, double value) {
    return static_cast<int>(std::floor((value - span.low) / (span.high - span.low) * count));
  };
  const int column = cell(x, columns, x_value);
  const int row = cell(y, rows, y_value);
  return column < 0 || column >= columns || row < 0 || row >= rows
             ? std::numeric_limits<double>::quiet_NaN()
             : values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                      static_cast<std::size_t>(column)];
}

struct ScatterPlot::Parts {
  enum class Drag { kNone, kPending, kRectangle };
  explicit Parts(QCustomPlot& plot) : map(plot) {}
  ScatterMap map;  // first: the points lie above it
  QCPGraph* diagonal = nullptr;
  std::vector<PointCloud*> clouds;
  PointCloud* primary = nullptr;
  QCPItemRect* rectangle = nullptr;
  Drag drag = Drag::kNone;
  QPointF pressed;
  std::optional<ScatterRectangle> before_drag;
};

ScatterPlot::ScatterPlot(QWidget* parent)
    : PlotBase(parent), parts_(std::make_unique<Parts>(plot())) {
  setObjectName(QStringLiteral("scatterPlot"));
  Parts& parts = *parts_;
  parts.diagonal = plot().addGraph();
  parts.primary = new PointCloud(&plot());
  parts.primary->setLayer(QStringLiteral("overlay"));
  parts.rectangle = new QCPItemRect(&plot());
  parts.rectangle->setLayer(QStringLiteral("overlay"));
  parts.rectangle->setSelectable(false);
  enableZoom(*plot().axisRect(), {plot().xAxis, plot().yAxis}, false);
  rebuild();
}

ScatterPlot::~ScatterPlot() = default;

void ScatterPlot::setScatter(ScatterPlotValue value) {
  value_ = std::move(value);
  selected_.reset();
  rectangle_.reset();
  primary_.reset();
  parts_->drag = Parts::Drag::kNone;  // the drag was over other points
  rebuild();
}

void ScatterPlot::setSelected(std::optional<std::vector<std::int32_t>> points) {
  if (selected_ != points) {
    selected_ = std::move(points);
    drawClouds();
    replotSoon();
  }
}

void ScatterPlot::setRectangle(std::optional<ScatterRectangle> rectangle) {
  rectangle_ = rectangle;
  replotOverlay();
}

void ScatterPlot::setPrimary(std::optional<std::int32_t> point) {
  primary_ = point;
  replotOverlay();
}

void ScatterPlot::replotOverlay() {
  placeOverlay();
  replotLayer(QStringLiteral("overlay"));
}

void ScatterPlot::rebuild() {
  const Theme& theme = currentTheme();
  const Interval unit{0.0, 1.0};
  const Interval x = value_.points ? value_.points->x_range : unit;
  const Interval y = value_.points ? value_.points->y_range : unit;
  styleAxis(*plot().xAxis, value_.x_label);
  styleAxis(*plot().yAxis, value_.y_label);
  plot().xAxis->setTicker(QSharedPointer<RoundTicker>::create(5));
  plot().yAxis->setTicker(QSharedPointer<RoundTicker>::create(5));
  setFullRange(*plot().xAxis, x.low, x.high);
  setFullRange(*plot().yAxis, y.low, y.high);
  parts_->diagonal->setPen(dashPen(theme.muted, 1, 1.0));
  if (value_.has_diagonal) {
    parts_->diagonal->setData({x.low, x.high}, {x.low, x.high}, true);
  } else {
    parts_->diagonal->setData(QVector<double>(), QVector<double>(), true);
  }
  drawMap();
  drawClouds();
  placeOverlay();
  // Equal values of one measure lie on the diagonal of a square.
  setAspectLimit(*plot().axisRect(), value_.has_diagonal ? 1.0 : 0.0);
  replotSoon();
}

void ScatterPlot::drawMap() {
  ScatterMap& map = parts_->map;
  if (value_.backdrop) {
    map.showBackdrop(*value_.backdrop);
  } else if (value_.is_density && value_.points) {
    map.showCounts(*value_.points);
  } else {
    map.hide();
  }
  if (map.hasScale()) {
    styleAxis(*map.scale().axis(), value_.backdrop ? value_.backdrop->label : tr("items per cell"));
  }
}

void ScatterPlot::drawClouds() {
  const Theme& theme = currentTheme();
  for (PointCloud* const cloud : parts_->clouds) {
    plot().removePlottable(cloud);
  }
  parts_->clouds.clear();
  if (!value_.points) {
    return;
  }
  const auto add = [&](PointCloud::Shape shape, const QColor& color) {
    auto* const cloud = new PointCloud(&plot());
    cloud->setMark(shape, color, value_.is_density ? kSmallPointSize : kPointSize);
    parts_->clouds.push_back(cloud);
    return cloud;
  };
  const auto fill = [&](const std::vector<std::int32_t>& numbers, double alpha) {
    std::vector<std::vector<QPointF>> by_group(value_.groups.size());
    std::vector<std::size_t> order;
    for (const std::int32_t number : numbers) {
      const auto i = static_cast<std::size_t>(number);
      const std::size_t group = value_.points->groups[i];
      if (by_group[group].empty()) {
        order.push_back(group);
      }
      by_group[group].emplace_back(value_.points->x.data()[i], value_.points->y.data()[i]);
    }
    for (const std::size_t group : order) {
      const ColorRole role = value_.groups[group].role;
      add(shapeOf(role), translucent(theme.color(role), alpha))
          ->setPoints(std::move(by_group[group]));
    }
  };
  constexpr double kFaded = 0.16;
  constexpr double kFull = 0.75;
  fill(value_.drawn, selected_ ? kFaded : kFull);
  if (!selected_) {
    return;
  }
  if (value_.is_density) {
    // The selection colour stands out best over the count colours.
    std::vector<QPointF> places;
    for (const std::int32_t number : *selected_) {
      const auto i = static_cast<std::size_t>(number);
      places.emplace_back(value_.points->x.data()[i], value_.points->y.data()[i]);
    }
    PointCloud* const cloud = add(PointCloud::Shape::kDisc, theme.selection);
    cloud->setMark(PointCloud::Shape::kDisc, translucent(theme.selection, 0.6), kSelectedPointSize);
    cloud->setPoints(std::move(places));
    return;
  }
  // Same order as before: misclassified ones on top.
  std::vector<std::int32_t> marked;
  for (const std::int32_t number : value_.drawn) {
    if (std::binary_search(selected_->begin(), selected_->end(), number)) {
      marked.push_back(number);
    }
  }
  fill(marked, 1.0);
}

void ScatterPlot::placeOverlay() {
  const Theme& theme = currentTheme();
  QCPItemRect& rectangle = *parts_->rectangle;
  rectangle.setVisible(rectangle_.has_value());
  rectangle.setPen(linePen(translucent(theme.selection, 0.7), 1.0));
  rectangle.setBrush(translucent(theme.selection, 0.08));
  if (rectangle_) {
    rectangle.topLeft->setCoords(rectangle_->x.low, rectangle_->y.high);
    rectangle.bottomRight->setCoords(rectangle_->x.high, rectangle_->y.low);
  }
  constexpr double kRing = 12.0;
  parts_->primary->setMark(PointCloud::Shape::kRing, theme.selection, kRing);
  std::vector<QPointF> places;
  if (primary_ && value_.points && *primary_ < value_.points->size()) {
    const auto i = static_cast<std::size_t>(*primary_);
    places.emplace_back(value_.points->x.data()[i], value_.points->y.data()[i]);
  }
  parts_->primary->setPoints(std::move(places));
}

// --- data --------------------------------------------------------------------------------------

QString ScatterPlot::nameOf(std::int32_t point) const {
  return value_.name_of ? value_.name_of(point) : QString::number(point);
}

void ScatterPlot::addBackdrop(PlotTable& table) const {
  if (!value_.backdrop) {
    return;
  }
  const ScatterBackdrop& backdrop = *value_.backdrop;
  const auto centre = [](Interval range, int number, int count) {
    return range.low + (range.high - range.low) * (number + 0.5) / count;
  };
  for (int row = 0; row < backdrop.rows; ++row) {
    for (int column = 0; column < backdrop.columns; ++column) {
      const double value =
          backdrop
              .values[static_cast<std::size_t>(row) * static_cast<std::size_t>(backdrop.columns) +
                      static_cast<std::size_t>(column)];
      if (!std::isnan(value)) {
        table.rows.push_back({QStringLiteral("grid"), QString(),
                              centre(backdrop.x, column, backdrop.columns),
                              centre(backdrop.y, row, backdrop.rows),
                              backdrop.classes.isEmpty()
                                  ? QVariant(value)
                                  : QVariant(backdrop.classes.value(static_cast<int>(value)))});
      }
    }
  }
}

PlotTable ScatterPlot::table() const {
  PlotTable table;
  const QString high = tr("%1, up to");
  table.columns = {"drawn", "item", value_.x_name, value_.y_name};
  if (value_.backdrop) {
    table.columns << value_.backdrop->name;
  } else if (value_.is_density) {
    table.columns << high.arg(value_.x_name) << high.arg(value_.y_name) << "items";
  }
  if (!value_.points) {
    return table;
  }
  const ScatterPoints& points = *value_.points;
  const auto edge = [&](Interval range, int number) {
    return range.low + (range.high - range.low) * number / points.cells;
  };
  addBackdrop(table);
  const bool counts = value_.is_density && !value_.backdrop;
  for (int row = 0; counts && row < points.cells; ++row) {
    for (int column = 0; column < points.cells; ++column) {
      if (const std::int64_t count = points.countIn(column, row); count > 0) {
        table.rows.push_back({QStringLiteral("cell"), QString(), edge(points.x_range, column),
                              edge(points.y_range, row), edge(points.x_range, column + 1),
                              edge(points.y_range, row + 1), static_cast<qlonglong>(count)});
      }
    }
  }
  for (const std::int32_t number : value_.drawn) {
    const auto i = static_cast<std::size_t>(number);
    table.rows.push_back({value_.groups[points.groups[i]].name, nameOf(number), points.x.data()[i],
                          points.y.data()[i]});
    if (counts) {
      for (const QVariant& cell :
           {QVariant(points.x.data()[i]), QVariant(points.y.data()[i]), QVariant(1)}) {
        table.rows.back().push_back(cell);
      }
    }
  }
  return table;
}

std::optional<std::int32_t> ScatterPlot::pointAt(const QPointF& position) const {
  const QRect rect = plot().axisRect()->rect();
  if (!value_.points || !rect.contains(position.toPoint())) {
    return std::nullopt;
  }
  const auto reach = [](const QCPAxis& axis, int pixels) {
    return axis.range().size() * kReach / std::max(1, pixels);
  };
  return nearestPoint(*value_.points, plot().xAxis->pixelToCoord(position.x()),
                      plot().yAxis->pixelToCoord(position.y()), reach(*plot().xAxis, rect.width()),
                      reach(*plot().yAxis, rect.height()));
}

QString ScatterPlot::backdropText(double x, double y) const {
  const ScatterBackdrop& backdrop = *value_.backdrop;
  const double value = backdrop.at(x, y);
  if (std::isnan(value)) {
    return {};
  }
  return QStringLiteral("%1 %2").arg(
      backdrop.name, backdrop.classes.isEmpty() ? shortText(value, 4)
                                                : backdrop.classes.value(static_cast<int>(value)));
}

QString ScatterPlot::hoverText(const QPointF& position) const {
  const std::optional<std::int32_t> point = pointAt(position);
  if (!point) {
    const QRect rect = plot().axisRect()->rect();
    if (!value_.backdrop || !rect.contains(position.toPoint())) {
      return {};
    }
    const double x = plot().xAxis->pixelToCoord(position.x());
    const double y = plot().yAxis->pixelToCoord(position.y());
    const QString text = backdropText(x, y);
    return text.isEmpty()
               ? text
               : QStringLiteral("%1 %2\n%3 %4\n%5")
                     .arg(value_.x_name, shortText(x, 4), value_.y_name, shortText(y, 4), text);
  }
  const ScatterPoints& points = *value_.points;
  const auto i = static_cast<std::size_t>(*point);
  QString text =
      QStringLiteral("%1 · %2\n%3 %4\n%5 %6")
          .arg(nameOf(*point), value_.groups[points.groups[i]].name, value_.x_name,
               shortText(points.x.data()[i], 4), value_.y_name, shortText(points.y.data()[i], 4));
  if (value_.backdrop) {
    text += u'\n' + backdropText(points.x.data()[i], points.y.data()[i]);
  } else if (value_.is_density) {
    text += u'\n' + countedText(points.countIn(points.columnOf(points.x.data()[i]),
                                               points.rowOf(points.y.data()[i])),
                                tr("%1 item in this cell"), tr("%1 items in this cell"));
  }
  return text;
}

// --- interaction -------------------------------------------------------------------------------

ScatterRectangle ScatterPlot::rectangleBetween(const QPointF& a, const QPointF& b) const {
  const QRectF area = plot().axisRect()->rect();
  const auto x = [&](const QPointF& position) {
    return plot().xAxis->pixelToCoord(std::clamp(position.x(), area.left(), area.right()));
  };
  const auto y = [&](const QPointF& position) {
    return plot().yAxis->pixelToCoord(std::clamp(position.y(), area.top(), area.bottom()));
  };
  return {ordered(x(a), x(b)), ordered(y(a), y(b))};
}

bool ScatterPlot::mousePressed(const QPointF& position) {
  if (!value_.points || !plot().axisRect()->rect().contains(position.toPoint())) {
    return false;
  }
  parts_->pressed = position;
  parts_->before_drag = rectangle_;
  parts_->drag = Parts::Drag::kPending;
  return true;
}

bool ScatterPlot::mouseMoved(const QPointF& position) {
  if (parts_->drag == Parts::Drag::kNone) {
    return false;
  }
  if (parts_->drag == Parts::Drag::kPending &&
      (position - parts_->pressed).manhattanLength() < kPointDragDistance) {
    return true;
  }
  parts_->drag = Parts::Drag::kRectangle;
  setRectangle(rectangleBetween(parts_->pressed, position));
  return true;
}

bool ScatterPlot::mouseReleased(const QPointF& position) {
  switch (std::exchange(parts_->drag, Parts::Drag::kNone)) {
    case Parts::Drag::kNone:
      return false;
    case Parts::Drag::kRectangle:
      setRectangle(rectangleBetween(parts_->pressed, position));
      Q_EMIT rectangleSelected(*rectangle_);
      return true;
    case Parts::Drag::kPending:
      break;
  }
  if (const auto point = pointAt(position)) {
    Q_EMIT pointChosen(*point);
  } else if (rectangle_) {
    setRectangle(std::nullopt);
    Q_EMIT selectionCleared();
  }
  return true;
}

void ScatterPlot::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && parts_->drag == Parts::Drag::kRectangle) {
    parts_->drag = Parts::Drag::kNone;
    setRectangle(parts_->before_drag);
    return;
  }
  PlotBase::keyPressEvent(event);
}

}  // namespace dubito
