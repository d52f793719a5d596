// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/world_plot.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

QColor colorOfSight(WorldPlotValue::Sight sight) {
  const Theme& theme = currentTheme();
  switch (sight) {
    case WorldPlotValue::Sight::kWall:
      return theme.text;
    case WorldPlotValue::Sight::kGood:
      return theme.correct;
    case WorldPlotValue::Sight::kBad:
      return theme.misclassified;
    case WorldPlotValue::Sight::kNothing:
      break;
  }
  return translucent(theme.muted, 0.5);
}

}  // namespace

/// Draws the whole world at once: it changes with every picture.
class WorldPlot::Drawing : public QCPAbstractItem {
 public:
  explicit Drawing(QCustomPlot* plot) : QCPAbstractItem(plot) {}

  double selectTest(const QPointF& /*position*/, bool /*only_selectable*/,
                    QVariant* /*details*/) const override {
    return -1.0;
  }
  /// From world to pixels; the world is as large as fits, in the middle.
  [[nodiscard]] QTransform transform() const {
    // Room for the outer walls, which are drawn on both sides of the edge.
    const QRectF area = QRectF(parentPlot()->axisRect()->rect()).adjusted(2.0, 2.0, -2.0, -2.0);
    const double scale =
        std::min(area.width() / value.size.width(), area.height() / value.size.height());
    QTransform result;
    result.translate(area.center().x(), area.center().y());
    result.scale(scale, -scale);
    result.translate(-0.5 * value.size.width(), -0.5 * value.size.height());
    return result;
  }

  WorldPlotValue value;

 protected:
  void draw(QCPPainter* painter) override {
    if (value.size.isEmpty()) {
      return;
    }
    const Theme& theme = currentTheme();
    const QTransform to_pixels = transform();
    const double scale = to_pixels.m11();
    painter->setAntialiasing(true);
    painter->setBrush(Qt::NoBrush);
    for (std::size_t i = 1; i < value.trail.size(); ++i) {
      const double age = static_cast<double>(i) / static_cast<double>(value.trail.size());
      painter->setPen(QPen(translucent(theme.accent, 0.6 * age), 2.0));
      painter->drawLine(to_pixels.map(QLineF(value.trail[i - 1], value.trail[i])));
    }
    painter->setPen(QPen(theme.text, 3.0, Qt::SolidLine, Qt::RoundCap));
    for (const QLineF& wall : value.walls) {
      painter->drawLine(to_pixels.map(wall));
    }
    for (const WorldPlotValue::Eye& eye : value.eyes) {
      const bool sees = eye.sight != WorldPlotValue::Sight::kNothing;
      painter->setPen(QPen(colorOfSight(eye.sight), sees ? 2.0 : 1.0));
      painter->drawLine(to_pixels.map(eye.ray));
    }
    const double radius = scale * value.item_radius;
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.correct);
    for (const QPointF& item : value.good) {
      painter->drawEllipse(to_pixels.map(item), radius, radius);
    }
    // Squares, so that they differ by more than the colour.
    painter->setBrush(theme.misclassified);
    for (const QPointF& item : value.bad) {
      const QPointF place = to_pixels.map(item);
      painter->drawRect(QRectF(place.x() - radius, place.y() - radius, 2.0 * radius, 2.0 * radius));
    }
    painter->setPen(QPen(theme.panel, 1.5));
    painter->setBrush(theme.text);
    painter->drawEllipse(to_pixels.map(value.agent), scale * value.agent_radius,
                         scale * value.agent_radius);
  }
};

WorldPlot::WorldPlot(QWidget* parent) : PlotBase(parent), drawing_(new Drawing(&plot())) {
  setObjectName(QStringLiteral("worldPlot"));
  for (QCPAxis* const axis : plot().axisRect()->axes()) {
    axis->setVisible(false);
  }
  plot().axisRect()->setAutoMargins(QCP::msNone);
  plot().axisRect()->setMargins(QMargins(kGrid, kGrid, kGrid, kGrid));
  rebuild();
}

WorldPlot::~WorldPlot() = default;

void WorldPlot::setValue(WorldPlotValue value) {
  drawing_->value = std::move(value);
  rebuild();
}

const WorldPlotValue& WorldPlot::value() const {
  return drawing_->value;
}

void WorldPlot::rebuild() {
  plot().setBackground(currentTheme().panel);
  replotSoon();
}

PlotTable WorldPlot::table() const {
  PlotTable table;
  table.columns = {"kind", "x", "y"};
  const auto add = [&table](const QString& kind, const std::vector<QPointF>& points) {
    for (const QPointF& point : points) {
      table.rows.push_back({kind, point.x(), point.y()});
    }
  };
  if (!value().size.isEmpty()) {
    add(QStringLiteral("agent"), {value().agent});
  }
  add(QStringLiteral("good"), value().good);
  add(QStringLiteral("bad"), value().bad);
  add(QStringLiteral("trail"), value().trail);
  return table;
}

QString WorldPlot::hoverText(const QPointF& position) const {
  if (value().size.isEmpty()) {
    return {};
  }
  const QPointF place = drawing_->transform().inverted().map(position);
  const auto isNear = [&](const QPointF& item) {
    return std::hypot(item.x() - place.x(), item.y() - place.y()) <= value().item_radius;
  };
  if (std::ranges::any_of(value().good, isNear)) {
    return tr("Good to eat");
  }
  if (std::ranges::any_of(value().bad, isNear)) {
    return tr("Bad to eat");
  }
  return isNear(value().agent) ? tr("The agent and what its nine eyes see") : QString();
}

}  // namespace dubito
