// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scatter_map_qcp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "widgets/plot_parts_qcp.h"

namespace dubito {
namespace {

constexpr double kMaxLinearCount = 20.0;
// Paler than the full colours, so that points stay legible on them.
constexpr double kBackdropShare = 0.55;
constexpr double kRegionShare = 0.4;

/// Viridis blended over the panel colour with weight `share`; omits the dark end on a dark
/// background.
QCPColorGradient viridis(const Theme& theme, double share) {
  static constexpr QRgb kStops[] = {0x440154, 0x482475, 0x3B528B, 0x2C718E, 0x21918C,
                                    0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};
  const std::span<const QRgb> stops = std::span(kStops).subspan(theme.dark ? 2 : 0);
  QCPColorGradient gradient;
  gradient.clearColorStops();
  for (std::size_t i = 0; i < stops.size(); ++i) {
    gradient.setColorStopAt(static_cast<double>(i) / static_cast<double>(stops.size() - 1),
                            blend(theme.panel, QColor(stops[i]), share));
  }
  gradient.setNanHandling(QCPColorGradient::nhTransparent);
  return gradient;
}

/// One flat colour per class, for values k in [-0.5, count - 0.5].
QCPColorGradient classColors(const Theme& theme, int count) {
  constexpr double kEdge = 1e-6;
  QCPColorGradient gradient;
  gradient.clearColorStops();
  gradient.setLevelCount(std::max(2, 32 * count));
  for (int k = 0; k < count; ++k) {
    const QColor color = blend(theme.panel, theme.classColor(k), kRegionShare);
    gradient.setColorStopAt((k + kEdge) / count, color);
    gradient.setColorStopAt((k + 1 - kEdge) / count, color);
  }
  gradient.setNanHandling(QCPColorGradient::nhTransparent);
  return gradient;
}

}  // namespace

ScatterMap::ScatterMap(QCustomPlot& plot)
    : plot_(plot), map_(new QCPColorMap(plot.xAxis, plot.yAxis)), scale_(new QCPColorScale(&plot)) {
  map_->setInterpolate(false);
  map_->setVisible(false);
  scale_->setVisible(false);
  scale_->setBarWidth(2 * kGrid);
  auto* const margins = new QCPMarginGroup(&plot);
  plot.axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
  scale_->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
}

void ScatterMap::showScale(bool shown) {
  if (scale_->visible() == shown) {
    return;
  }
  scale_->setVisible(shown);
  if (shown) {
    plot_.plotLayout()->addElement(0, 1, scale_);
  } else {
    // A hidden scale must not take space.
    plot_.plotLayout()->take(scale_);
    plot_.plotLayout()->simplify();
  }
}

void ScatterMap::dropNames() {
  for (QCPItemText* const name : class_names_) {
    plot_.removeItem(name);
  }
  class_names_.clear();
}

void ScatterMap::hide() {
  dropNames();
  map_->setVisible(false);
  showScale(false);
}

void ScatterMap::setCells(Interval x, Interval y, int columns, int rows) {
  const double half_width = (x.high - x.low) / (2.0 * columns);
  const double half_height = (y.high - y.low) / (2.0 * rows);
  map_->data()->setSize(columns, rows);
  map_->data()->setRange(QCPRange(x.low + half_width, x.high - half_width),
                         QCPRange(y.low + half_height, y.high - half_height));
}

void ScatterMap::showCounts(const ScatterPoints& points) {
  dropNames();
  map_->setVisible(true);
  showScale(true);
  setCells(points.x_range, points.y_range, points.cells, points.cells);
  double max_count = 1.0;
  for (int row = 0; row < points.cells; ++row) {
    for (int column = 0; column < points.cells; ++column) {
      const auto count = static_cast<double>(points.countIn(column, row));
      max_count = std::max(max_count, count);
      map_->data()->setCell(column, row,
                            count > 0.0 ? count : std::numeric_limits<double>::quiet_NaN());
    }
  }
  const bool logarithmic = max_count > kMaxLinearCount;
  const auto type = logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear;
  map_->setGradient(viridis(currentTheme(), 1.0));
  map_->setDataScaleType(type);
  map_->setDataRange(QCPRange(logarithmic ? 1.0 : 0.0, max_count));
  scale_->setGradient(map_->gradient());
  scale_->setDataScaleType(type);
  scale_->setDataRange(map_->dataRange());
  if (logarithmic) {
    auto ticker = QSharedPointer<QCPAxisTickerLog>::create();
    ticker->setSubTickCount(0);
    scale_->axis()->setTicker(ticker);
    scale_->axis()->setNumberFormat(QStringLiteral("gb"));
    scale_->axis()->setNumberPrecision(0);
  } else {
    scale_->axis()->setTicker(QSharedPointer<RoundTicker>::create(4));
  }
}

void ScatterMap::showBackdrop(const ScatterBackdrop& backdrop) {
  dropNames();
  map_->setVisible(true);
  const bool regions = !backdrop.classes.isEmpty();
  showScale(!regions);
  setCells(backdrop.x, backdrop.y, backdrop.columns, backdrop.rows);
  auto value = backdrop.values.begin();
  for (int row = 0; row < backdrop.rows; ++row) {
    for (int column = 0; column < backdrop.columns; ++column) {
      map_->data()->setCell(column, row, *value++);
    }
  }
  map_->setDataScaleType(QCPAxis::stLinear);
  if (regions) {
    const int count = static_cast<int>(backdrop.classes.size());
    map_->setGradient(classColors(currentTheme(), count));
    map_->setDataRange(QCPRange(-0.5, count - 0.5));
    nameRegions(backdrop);
    return;
  }
  map_->setGradient(viridis(currentTheme(), kBackdropShare));
  map_->setDataRange(QCPRange(backdrop.range.low, backdrop.range.high));
  scale_->setGradient(map_->gradient());
  scale_->setDataScaleType(QCPAxis::stLinear);
  scale_->setDataRange(map_->dataRange());
  scale_->axis()->setTicker(QSharedPointer<RoundTicker>::create(4));
}

void ScatterMap::nameRegions(const ScatterBackdrop& backdrop) {
  constexpr int kMaxNamed = 40;
  const int columns = backdrop.columns;
  const auto classes = static_cast<int>(backdrop.classes.size());
  for (int k = 0; k < std::min(classes, kMaxNamed); ++k) {
    double column_sum = 0.0;
    double row_sum = 0.0;
    double count = 0.0;
    const auto each_cell = [&](const auto& visit) {
      for (int row = 0; row < backdrop.rows; ++row) {
        for (int column = 0; column < columns; ++column) {
          if (backdrop.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                              static_cast<std::size_t>(column)] == k) {
            visit(column, row);
          }
        }
      }
    };
    each_cell([&](int column, int row) {
      column_sum += column;
      row_sum += row;
      ++count;
    });
    if (count == 0.0) {
      continue;
    }
    // Label at the cell nearest to the centroid, which may lie outside the region.
    double nearest = std::numeric_limits<double>::infinity();
    QPointF place;
    each_cell([&](int column, int row) {
      const double distance = std::hypot(column - column_sum / count, row - row_sum / count);
      if (distance < nearest) {
        nearest = distance;
        double x = 0.0;
        double y = 0.0;
        map_->data()->cellToCoord(column, row, &x, &y);
        place = QPointF(x, y);
      }
    });
    auto* const text = new QCPItemText(&plot_);
    text->setLayer(QStringLiteral("overlay"));
    text->setSelectable(false);
    text->position->setCoords(place.x(), place.y());
    text->setText(backdrop.classes[k]);
    text->setFont(uiFont(TypeSize::kTitle, true));
    text->setColor(currentTheme().text);
    text->setBrush(translucent(currentTheme().panel, 0.6));
    text->setPadding(QMargins(kGrid, 0, kGrid, 0));
    class_names_.push_back(text);
  }
}

}  // namespace dubito
