// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/landscape_plot.h"

#include <QMouseEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

/// One curve with its axes.
struct Panel {
  QCPAxisRect* rect = nullptr;
  QCPGraph* curve = nullptr;
  QCPGraph* mark = nullptr;
  ThresholdLine* line = nullptr;

  [[nodiscard]] QCPAxis* x() const { return rect->axis(QCPAxis::atBottom); }
  [[nodiscard]] QCPAxis* y() const { return rect->axis(QCPAxis::atLeft); }
};

/// Decade ticks on `length` pixels, plus 2 and 5 if their labels fit.
LabelledTicks logTicks(double low, double high, int length) {
  constexpr double kFewDecades = 3.0;
  constexpr double kDecadePixels = 96.0;
  const bool few = length >= kDecadePixels * (high - low);
  const int stride = high - low > 2.0 * kFewDecades ? 2 : 1;
  LabelledTicks ticks;
  for (int decade = static_cast<int>(std::floor(low)); decade <= static_cast<int>(std::ceil(high));
       ++decade) {
    for (const int digit : {1, 2, 5}) {
      const double place = decade + std::log10(digit);
      if ((digit > 1 && !few) || decade % stride != 0 || place < low - 1e-9 ||
          place > high + 1e-9) {
        continue;
      }
      ticks.emplace_back(place, QString::number(digit * std::pow(10.0, decade), 'g', 3));
    }
  }
  return ticks;
}

/// Values for a logarithmic axis, raised to a positive floor.
std::vector<double> withFloor(std::vector<double> values) {
  constexpr double kFloor = 1e-4;
  double largest = 0.0;
  for (const double value : values) {
    largest = std::isfinite(value) ? std::max(largest, value) : largest;
  }
  for (double& value : values) {
    value = std::isnan(value) ? value : std::max(value, kFloor * largest);
  }
  return values;
}

/// True if a logarithmic axis is more informative than a linear one.
bool spansFactors(const std::vector<double>& values) {
  constexpr double kFactor = 4.0;
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return low > 0.0 && high > kFactor * low;
}

/// A little wider than the finite values.
std::pair<double, double> rangeOf(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : values) {
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(low <= high)) {
    return {0.0, 1.0};
  }
  const double width = high > low ? high - low : std::max(1e-6, std::abs(low));
  return {low - 0.06 * width, high + 0.06 * width};
}

/// Like rangeOf, for a curve whose maximum matters.
std::pair<double, double> peakOf(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::ranges::sort(values);
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 3));
  return rangeOf(values);
}

/// Few ticks for a short axis: powers of ten if there are at least two.
LabelledTicks heightTicks(double low, double high) {
  constexpr int kMaxTicks = 4;
  LabelledTicks all;
  const int first = static_cast<int>(std::ceil(low));
  const int last = static_cast<int>(std::floor(high));
  if (last - first < 1) {
    all = logTicks(low, high, std::numeric_limits<int>::max());
  } else {
    const int stride = (last - first) / kMaxTicks + 1;
    for (int decade = first; decade <= last; decade += stride) {
      all.emplace_back(decade, QString::number(std::pow(10.0, decade), 'g', 3));
    }
  }
  for (auto& [place, text] : all) {
    place = std::pow(10.0, place);
  }
  return all;
}

}  // namespace

QString LandscapeCurve::title() const {
  return unit.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, unit);
}

struct LandscapePlot::Parts {
  std::array<Panel, kMaxCurves> panels;
  std::size_t shown = 0;
  bool dragging = false;
  int ticked_width = 0;  ///< data area width in pixels for which the ticks were chosen
};

LandscapePlot::LandscapePlot(QWidget* parent)
    : PlotBase(parent), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("landscapePlot"));
  auto* const margins = new QCPMarginGroup(&plot());
  for (std::size_t i = 0; i < kMaxCurves; ++i) {
    Panel& panel = parts_->panels[i];
    panel.rect = i == 0 ? plot().axisRect() : new QCPAxisRect(&plot());
    panel.rect->setMinimumMargins(QMargins(0, 2 * kGrid, 4 * kGrid, 0));
    panel.rect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    for (QCPAxis* const axis : panel.rect->axes()) {
      axis->setLayer(QStringLiteral("axes"));
      axis->grid()->setLayer(QStringLiteral("grid"));
    }
    panel.mark = plot().addGraph(panel.x(), panel.y());
    panel.curve = plot().addGraph(panel.x(), panel.y());
    panel.line = new ThresholdLine(&plot());
    panel.line->position->setAxes(panel.x(), panel.y());
    panel.line->position->setAxisRect(panel.rect);
    panel.line->setClipToAxisRect(false);
  }
  parts_->shown = 1;
  plot().plotLayout()->setRowSpacing(kGrid);
  connect(
      &plot(), &QCustomPlot::afterLayout, this,
      [this] {
        if (parts_->ticked_width != parts_->panels[0].rect->width()) {
          rebuild();
        }
      },
      Qt::QueuedConnection);
  rebuild();
}

LandscapePlot::~LandscapePlot() = default;

void LandscapePlot::setLandscape(LandscapeValue value) {
  value_ = std::move(value);
  value_.curves.resize(std::min(value_.curves.size(), kMaxCurves));
  rebuild();
}

void LandscapePlot::setPosition(std::optional<double> position) {
  position_ = position;
  placeLines();
  replotLayer(QStringLiteral("overlay"));
}

void LandscapePlot::setMark(std::optional<double> mark) {
  mark_ = mark;
  rebuild();
}

void LandscapePlot::placePanels() {
  const std::size_t wanted = std::max<std::size_t>(1, value_.curves.size());
  QCPLayoutGrid& layout = *plot().plotLayout();
  // Axis rects are never deleted, because the zoom refers to their axes.
  for (; parts_->shown < wanted; ++parts_->shown) {
    layout.addElement(static_cast<int>(parts_->shown), 0, parts_->panels[parts_->shown].rect);
  }
  for (; parts_->shown > wanted; --parts_->shown) {
    layout.take(parts_->panels[parts_->shown - 1].rect);
  }
  layout.simplify();
  for (std::size_t i = 0; i < kMaxCurves; ++i) {
    const bool visible = i < value_.curves.size();
    Panel& panel = parts_->panels[i];
    panel.rect->setVisible(i < wanted);
    for (QCPAxis* const axis : {panel.x(), panel.y()}) {
      axis->setVisible(i < wanted);
    }
    panel.curve->setVisible(visible);
    panel.mark->setVisible(visible && mark_);
    panel.line->setVisible(visible && position_);
  }
}

void LandscapePlot::rebuild() {
  const Theme& theme = currentTheme();
  placePanels();
  parts_->ticked_width = parts_->panels[0].rect->width();
  const std::vector<double>& places = value_.log10_x;
  const double low = places.empty() ? 0.0 : places.front();
  const double high = places.size() < 2 ? low + 1.0 : places.back();
  for (std::size_t i = 0; i < parts_->shown; ++i) {
    Panel& panel = parts_->panels[i];
    const bool last = i + 1 == parts_->shown;
    styleAxis(*panel.x(), last ? value_.x_label : QString());
    panel.x()->setTickLabels(last);
    panel.x()->setTicker(fixedTicks(logTicks(low, high, parts_->ticked_width)));
    panel.y()->setTicker(QSharedPointer<RoundTicker>::create(parts_->shown < kMaxCurves ? 3 : 2));
    setFullRange(*panel.x(), low, high);
    if (i >= value_.curves.size()) {
      styleAxis(*panel.y(), {});
      continue;
    }
    const LandscapeCurve& curve = value_.curves[i];
    // Three panels leave no room for the unit; the tooltip has it.
    styleAxis(*panel.y(), parts_->shown < kMaxCurves ? curve.title() : curve.name);
    const std::vector<double> heights = curve.logarithmic ? withFloor(curve.y) : curve.y;
    const bool logarithmic = curve.logarithmic && spansFactors(heights);
    auto [bottom, top] = curve.peak ? peakOf(heights) : rangeOf(heights);
    panel.y()->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (logarithmic) {
      std::vector<double> logarithms = heights;
      std::ranges::transform(logarithms, logarithms.begin(),
                             [](double value) { return std::log10(value); });
      const auto [low_height, high_height] = rangeOf(logarithms);
      bottom = std::pow(10.0, low_height);
      top = std::pow(10.0, high_height);
      panel.y()->setTicker(fixedTicks(heightTicks(low_height, high_height)));
    }
    setFullRange(*panel.y(), bottom, top);
    panel.curve->setName(curve.title());
    panel.curve->setPen(linePen(theme.accent, 1.75));
    panel.curve->setData(QVector<double>(places.begin(), places.end()),
                         QVector<double>(heights.begin(), heights.end()), true);
    panel.mark->setPen(dashPen(theme.muted, 1, 1.0));
    const double place = mark_ ? std::log10(*mark_) : 0.0;
    panel.mark->setData({place, place}, {bottom, top}, true);
  }
  placeLines();
  replotSoon();
}

void LandscapePlot::placeLines() {
  for (std::size_t i = 0; i < kMaxCurves; ++i) {
    const Panel& panel = parts_->panels[i];
    panel.line->setVisible(i < value_.curves.size() && position_);
    panel.line->setColor(currentTheme().selection);
    if (position_) {
      panel.line->setX(std::log10(*position_));
    }
  }
}

PlotTable LandscapePlot::table() const {
  PlotTable table;
  table.columns << value_.x_label;
  for (const LandscapeCurve& curve : value_.curves) {
    table.columns << curve.title();
  }
  for (std::size_t i = 0; i < value_.log10_x.size(); ++i) {
    std::vector<QVariant> row{std::pow(10.0, value_.log10_x[i])};
    for (const LandscapeCurve& curve : value_.curves) {
      row.emplace_back(curve.y[i]);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

QString LandscapePlot::hoverText(const QPointF& position) const {
  for (std::size_t i = 0; i < value_.curves.size(); ++i) {
    const Panel& panel = parts_->panels[i];
    if (!panel.rect->rect().contains(position.toPoint()) || value_.log10_x.empty()) {
      continue;
    }
    const double x = panel.x()->pixelToCoord(position.x());
    const auto nearest = std::ranges::min_element(
        value_.log10_x, {}, [x](double place) { return std::abs(place - x); });
    const auto index = static_cast<std::size_t>(nearest - value_.log10_x.begin());
    QStringList lines{
        QStringLiteral("%1 %2").arg(value_.x_label, shortText(std::pow(10.0, *nearest), 4))};
    for (const LandscapeCurve& curve : value_.curves) {
      lines << QStringLiteral("%1 %2").arg(curve.title(), shortText(curve.y[index], 4));
    }
    return lines.join(u'\n');
  }
  return {};
}

void LandscapePlot::moveTo(const QPointF& place) {
  const double x = std::clamp(parts_->panels[0].x()->pixelToCoord(place.x()),
                              value_.log10_x.front(), value_.log10_x.back());
  setPosition(std::pow(10.0, x));
  Q_EMIT positionMoved(*position_);
}

bool LandscapePlot::mousePressed(const QPointF& position) {
  if (!position_ || value_.log10_x.empty()) {
    return false;
  }
  // Pressing anywhere moves the line to the mouse.
  parts_->dragging = true;
  moveTo(position);
  return true;
}

bool LandscapePlot::mouseMoved(const QPointF& position) {
  if (!parts_->dragging || !position_ || value_.log10_x.empty()) {
    return false;
  }
  moveTo(position);
  return true;
}

bool LandscapePlot::mouseReleased(const QPointF& /*position*/) {
  if (!parts_->dragging || !position_ || value_.log10_x.empty()) {
    return false;
  }
  parts_->dragging = false;
  Q_EMIT positionReleased(*position_);
  return true;
}

}  // namespace dubito
