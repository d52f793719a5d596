// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curve_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/curve_plot_graphs_qcp.h"
#include "widgets/curve_plot_parts_qcp.h"
#include "widgets/number_text.h"
#include "widgets/selected_layer_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kHitDistance = 14.0;

struct Bounds {
  bool logarithmic = false;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    if (std::isfinite(value) && (!logarithmic || value > 0.0)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  /// Never empty; `padded` adds a margin around the data.
  [[nodiscard]] Interval interval(bool padded) const {
    if (!(low <= high)) {
      return {logarithmic ? 0.1 : 0.0, 1.0};
    }
    if (logarithmic) {
      const double factor = high > low ? std::pow(high / low, 0.03) : 2.0;
      return padded || !(high > low) ? Interval{low / factor, high * factor} : Interval{low, high};
    }
    const double width = high > low ? high - low : std::max(1.0, std::abs(low));
    const double pad = padded || !(high > low) ? 0.03 * width : 0.0;
    return {low - pad, high + pad};
  }
};

/// What the axes have to show.
struct Extent {
  Bounds x;
  Bounds y;
  bool x_padded = false;  ///< bars or dots at the edge would be cut
};

Extent extentOf(const CurvePlotValue& value) {
  Extent extent{.x = {value.x_is_logarithmic}, .y = {value.y_is_logarithmic}};
  for (const StyledCurve& styled : value.curves) {
    for (const double x : styled.curve.x) {
      extent.x.add(x);
    }
    for (const double y : styled.curve.y) {
      extent.y.add(y);
    }
    for (const Interval& interval : styled.intervals) {
      extent.y.add(interval.low);
      extent.y.add(interval.high);
    }
    if (styled.mark) {
      extent.x.add(styled.mark->x());
      extent.y.add(styled.mark->y());
    }
    extent.x_padded = extent.x_padded || styled.is_dots || hasBars(styled);
  }
  return extent;
}

/// Of the axes.
struct Ranges {
  Interval x{0.0, 1.0};
  Interval y{0.0, 1.0};
};

Ranges rangesOf(const CurvePlotValue& value) {
  Extent extent = extentOf(value);
  Ranges ranges;
  if (value.kind == CurvePlotValue::Kind::kPrecisionRecall) {
    if (value.baseline) {
      extent.y.add(*value.baseline);
    }
    const double lowest = extent.y.interval(false).low;
    // Leave a margin below the lowest value and start at a round tick.
    ranges.y.low = std::clamp(std::floor(lowest * 10.0 - 0.3) / 10.0, 0.0, 0.9);
  } else if (value.kind == CurvePlotValue::Kind::kGeneric) {
    ranges.x = extent.x.interval(extent.x_padded);
    ranges.y = value.y_range.value_or(extent.y.interval(true));
  }
  return ranges;
}

bool sameRanges(const Ranges& a, const Ranges& b) {
  const auto same = [](const Interval& left, const Interval& right) {
    return left.low == right.low && left.high == right.high;
  };
  return same(a.x, b.x) && same(a.y, b.y);
}

/// Whether only the points of curves that follow the selection, and the baseline, may differ.
bool sameButSelection(const CurvePlotValue& a, const CurvePlotValue& b) {
  const auto isPlain = [](const CurvePlotValue& value) {
    return !value.level && !value.shade && !value.y_range &&
           std::ranges::any_of(value.curves, isOfSelection);
  };
  const auto sameCurve = [](const StyledCurve& left, const StyledCurve& right) {
    const bool same_summary = left.curve.summary == right.curve.summary ||
                              (std::isnan(left.curve.summary) && std::isnan(right.curve.summary));
    const auto isLine = [](const StyledCurve& styled) {
      return styled.intervals.empty() && !styled.mark && !styled.is_dots && styled.marker == 0;
    };
    return isLine(left) && isLine(right) && same_summary && left.curve.name == right.curve.name &&
           left.run == right.run && left.dash == right.dash && left.role == right.role &&
           left.short_name == right.short_name && left.is_thin == right.is_thin &&
           left.is_strong == right.is_strong &&
           (followsSelection(left) ||
            (left.curve.x == right.curve.x && left.curve.y == right.curve.y));
  };
  return isPlain(a) && isPlain(b) && a.kind == b.kind && a.summary_name == b.summary_name &&
         a.summary_is_share == b.summary_is_share && a.x_is_share == b.x_is_share &&
         a.y_is_share == b.y_is_share && a.baseline.has_value() == b.baseline.has_value() &&
         a.x_label == b.x_label && a.y_label == b.y_label && a.x_short == b.x_short &&
         a.y_short == b.y_short && a.has_legend == b.has_legend &&
         a.exports_legend == b.exports_legend && a.x_is_logarithmic == b.x_is_logarithmic &&
         a.y_is_logarithmic == b.y_is_logarithmic &&
         std::ranges::equal(a.curves, b.curves, sameCurve);
}

}  // namespace

CurvePlot::CurvePlot(QWidget* parent) : PlotBase(parent), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("curvePlot"));
  parts_->legend = new CurveLegend;
  plot().axisRect()->insetLayout()->addElement(parts_->legend, QRectF(0.5, 0.5, 0.1, 0.1));
  parts_->legend->setLayer(QStringLiteral("legend"));
  enableZoom(*plot().axisRect(), {plot().xAxis, plot().yAxis}, true);
  connect(&plot(), &QCustomPlot::afterLayout, this, &CurvePlot::placeLegend);
  connect(&plot(), &QCustomPlot::afterReplot, this,
          [this] { parts_->selected_is_painted = parts_->has_selected_layer; });
  rebuild();
}

CurvePlot::~CurvePlot() = default;

void CurvePlot::clicked(const QPointF& position) {
  const Hit hit =
      nearest(position, [](const StyledCurve& styled) { return !isOfSelection(styled); });
  if (hit.curve >= 0) {
    Q_EMIT pointSelected(hit.curve, hit.point);
  }
}

void CurvePlot::setCurves(CurvePlotValue value) {
  if (movesSelection(value)) {
    return;
  }
  // Selection curves do not move the legend.
  const auto ofAll = [](const CurvePlotValue& curves) {
    std::vector<const Curve*> result;
    for (const StyledCurve& styled : curves.curves) {
      if (isOfAll(styled)) {
        result.push_back(&styled.curve);
      }
    }
    return result;
  };
  if (!std::ranges::equal(ofAll(value_), ofAll(value), [](const Curve* a, const Curve* b) {
        return a->x == b->x && a->y == b->y;
      })) {
    parts_->placed_in.reset();
    parts_->side_chosen_for.reset();
  }
  value_ = std::move(value);
  if (!value_.level) {
    parts_->grabbed_at.reset();
  }
  rebuild();
}

bool CurvePlot::isUnderLegend(const QPointF& marker) const {
  constexpr int kRing = 8;
  const QPointF pixel(plot().xAxis->coordToPixel(marker.x()),
                      plot().yAxis->coordToPixel(marker.y()));
  return parts_->legend->visible() && parts_->legend->outerRect()
                                          .adjusted(-kRing, -kRing, kRing, kRing)
                                          .contains(pixel.toPoint());
}

bool CurvePlot::movesSelection(CurvePlotValue& value) {
  if (!parts_->selected_is_painted || !sameButSelection(value_, value) ||
      !sameRanges(rangesOf(value_), rangesOf(value))) {
    return false;
  }
  value_ = std::move(value);
  for (std::size_t i = 0; i < value_.curves.size(); ++i) {
    if (followsSelection(value_.curves[i])) {
      setCurveData(value_.curves[i], value_.kind, *parts_->graphs[i]);
    }
  }
  showRanges();
  replotLayer(selectedLayer());
  return true;
}

void CurvePlot::setMarker(std::optional<QPointF> marker) {
  if (marker_ == marker) {
    return;
  }
  const bool was_there = marker_.has_value();
  marker_ = marker;
  if (was_there && marker_ && parts_->marker != nullptr && !isUnderLegend(*marker_)) {
    // The legend has no reason to move.
    parts_->marker->setData({marker_->x()}, {marker_->y()});
    replotLayer(QStringLiteral("overlay"));
    return;
  }
  if (!parts_->grabbed_at) {
    parts_->placed_in.reset();
  }
  rebuild();
}

void CurvePlot::rebuild() {
  clearGraphs();
  addGraphs();
  styleAxes();  // a logarithmic axis takes no range below 0
  showRanges();
  showLevel();
  showLegend();
  replotSoon();
}

void CurvePlot::clearGraphs() {
  // The legend refers to the old graphs and may be laid out before it gets new entries.
  parts_->legend->setEntries({}, {});
  for (QCPErrorBars* const bars : parts_->bars) {
    plot().removePlottable(bars);
  }
  parts_->bars.clear();
  for (QCPAbstractItem* const item : std::exchange(parts_->shade, {})) {
    plot().removeItem(item);
  }
  plot().clearGraphs();
  parts_->marker = nullptr;
  parts_->graphs.clear();
  parts_->level = nullptr;
}

void CurvePlot::addGraphs() {
  const Theme& theme = currentTheme();
  if (value_.shade) {
    parts_->shade = addShade(*value_.shade, plot());
  }
  parts_->baseline = plot().addGraph();
  parts_->baseline->setPen(dashPen(theme.muted, 1, 1.0));
  const bool has_selection = std::ranges::any_of(value_.curves, isOfSelection);
  if (has_selection && !std::exchange(parts_->has_selected_layer, true)) {
    addSelectedLayer(plot());
  }
  if (has_selection) {
    parts_->baseline->setLayer(selectedLayer());
  }
  for (const StyledCurve& styled : value_.curves) {
    parts_->graphs.push_back(addCurveGraph(styled, value_.kind, plot(), parts_->bars));
    if (has_selection && followsSelection(styled)) {
      parts_->graphs.back()->setLayer(selectedLayer());
    }
    if (styled.mark) {
      addCurveMark(styled, *styled.mark, plot());
    }
  }
  if (value_.level) {
    parts_->level = plot().addGraph();
    parts_->level->setPen(dashPen(theme.selection, 1, 1.75));
  }
  parts_->marker = plot().addGraph();
  parts_->marker->setLayer(QStringLiteral("overlay"));
  parts_->marker->setLineStyle(QCPGraph::lsNone);
  parts_->marker->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssCircle, linePen(theme.selection, 2.0), theme.panel, 9.0));
  if (marker_) {
    parts_->marker->addData(marker_->x(), marker_->y());
  }
}

void CurvePlot::showRanges() {
  const auto [x, y] = rangesOf(value_);
  if (value_.kind == CurvePlotValue::Kind::kRoc) {
    parts_->baseline->setData({0.0, 1.0}, {0.0, 1.0}, true);
  } else if (value_.baseline) {
    parts_->baseline->setData({x.low, x.high}, {*value_.baseline, *value_.baseline}, true);
  }
  setFullRange(*plot().xAxis, x.low, x.high);
  setFullRange(*plot().yAxis, y.low, y.high);
}

void CurvePlot::styleAxes() {
  const auto style = [this](QCPAxis& axis, const QString& label, const QString& short_label,
                            bool is_share, bool logarithmic) {
    using Unit = RoundTicker::Unit;
    const auto title = [is_share](const QString& name) {
      return is_share && !name.isEmpty() ? percentTitle(name) : name;
    };
    styleAxis(axis, title(label), title(short_label));
    axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setTicker(
        logarithmic
            ? QSharedPointer<QCPAxisTicker>(QSharedPointer<PowerTicker>::create())
            : QSharedPointer<RoundTicker>::create(5, is_share ? Unit::kPercent : Unit::kPlain));
  };
  style(*plot().xAxis, value_.x_label, value_.x_short, value_.x_is_share, value_.x_is_logarithmic);
  style(*plot().yAxis, value_.y_label, value_.y_short, value_.y_is_share, value_.y_is_logarithmic);
}

QString CurvePlot::summaryText(double summary) const {
  return std::isnan(summary)       ? QString()
         : value_.summary_is_share ? shareText(summary)
                                   : scoreText(summary);
}

void CurvePlot::showLegend() {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < value_.curves.size(); ++i) {
    const StyledCurve& styled = value_.curves[i];
    if (hasLegend() && styled.role != StyledCurve::Role::kBackground && !styled.is_dots) {
      entries.push_back({parts_->graphs[i], QString::fromStdString(styled.curve.name),
                         styled.short_name, summaryText(styled.curve.summary)});
    }
  }
  if (value_.level) {
    entries.push_back({parts_->level, value_.level->name, {}, {}});
  }
  parts_->legend->setEntries(value_.summary_name, std::move(entries));
  parts_->legend->setVisible(hasLegend() && !value_.curves.empty());
  // Square, or wider if the legend would not fit.
  const int wanted = parts_->legend->fullWidth() + 2 * kLegendMargin;
  setAspectLimit(*plot().axisRect(), value_.kind == CurvePlotValue::Kind::kRoc ? 1.0 : 0.0,
                 value_.exports_legend ? std::max(wanted, kWidthWithoutLegend) : wanted);
}

PlotTable CurvePlot::table() const {
  PlotTable table;
  table.columns = {"curve", "x", "y"};
  const bool has_intervals = std::ranges::any_of(
      value_.curves, [](const StyledCurve& styled) { return !styled.intervals.empty(); });
  if (has_intervals) {
    table.columns << "low"
                  << "high";
  }
  for (const StyledCurve& styled : value_.curves) {
    const Curve& curve = styled.curve;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      table.rows.push_back({QString::fromStdString(curve.name), curve.x[i], curve.y[i]});
      if (has_intervals) {
        const bool known = i < styled.intervals.size();
        table.rows.back().push_back(known ? styled.intervals[i].low : std::nan(""));
        table.rows.back().push_back(known ? styled.intervals[i].high : std::nan(""));
      }
    }
  }
  if (value_.level) {
    const QCPRange x = plot().xAxis->range();
    for (const double end : {x.lower, x.upper}) {
      table.rows.push_back({value_.level->name, end, value_.level->y});
      table.rows.back().resize(static_cast<std::size_t>(table.columns.size()), std::nan(""));
    }
  }
  return table;
}

template <class Counts>
CurvePlot::Hit CurvePlot::nearest(const QPointF& position, const Counts& counts) const {
  Hit best;
  double best_distance = kHitDistance;
  for (std::size_t c = 0; c < value_.curves.size(); ++c) {
    if (!counts(value_.curves[c])) {
      continue;
    }
    const Curve& curve = value_.curves[c].curve;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const double dx = plot().xAxis->coordToPixel(curve.x[i]) - position.x();
      if (std::abs(dx) >= best_distance) {
        continue;
      }
      const double dy = plot().yAxis->coordToPixel(curve.y[i]) - position.y();
      const double distance = std::hypot(dx, dy);
      if (distance < best_distance) {
        best_distance = distance;
        best = {static_cast<int>(c), static_cast<int>(i)};
      }
    }
  }
  return best;
}

QString CurvePlot::hoverText(const QPointF& position) const {
  if (!plot().axisRect()->rect().adjusted(-6, -6, 6, 6).contains(position.toPoint())) {
    return {};
  }
  if (isOnLevel(position)) {
    return tr("%1: %2\nDrag to change it")
        .arg(value_.level->name,
             value_.y_is_share ? shareText(value_.level->y) : shortText(value_.level->y, 4));
  }
  const Hit hit = nearest(position, [](const StyledCurve&) { return true; });
  if (hit.curve < 0) {
    return {};
  }
  const Curve& curve = value_.curves[static_cast<std::size_t>(hit.curve)].curve;
  const auto point = static_cast<std::size_t>(hit.point);
  const auto text = [](double value, bool is_share) {
    return is_share ? shareText(value) : shortText(value, 4);
  };
  QString name = QString::fromStdString(curve.name);
  if (!value_.has_legend && !value_.summary_name.isEmpty() && !std::isnan(curve.summary)) {
    name += QStringLiteral("\n%1 %2").arg(value_.summary_name, summaryText(curve.summary));
  }
  QString shown = QStringLiteral("%1\n%2 %3\n%4 %5")
                      .arg(name, value_.x_label, text(curve.x[point], value_.x_is_share),
                           value_.y_label, text(curve.y[point], value_.y_is_share));
  const std::vector<Interval>& intervals =
      value_.curves[static_cast<std::size_t>(hit.curve)].intervals;
  if (point < intervals.size()) {
    shown += tr("\n%1 %2 to %3")
                 .arg(value_.interval_name, text(intervals[point].low, value_.y_is_share),
                      text(intervals[point].high, value_.y_is_share));
  }
  return shown;
}

}  // namespace dubito
