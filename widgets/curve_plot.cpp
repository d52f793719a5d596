// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/curve_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "widgets/curve_plot_parts_qcp.h"
#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kHitDistance = 14.0;
constexpr std::size_t kDensePoints = 200;
constexpr double kDenseWidth = 0.01;

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

QColor colorOf(const StyledCurve& styled) {
  const Theme& theme = currentTheme();
  switch (styled.role) {
    case StyledCurve::Role::kReference:
      return theme.muted;
    case StyledCurve::Role::kBackground:
      return translucent(theme.muted, 0.6);
    case StyledCurve::Role::kSelection:
      return theme.selection;
    case StyledCurve::Role::kRun:
      break;
  }
  return styled.run < 0 ? theme.accent : theme.runColor(styled.run);
}

/// So many closely spaced points that steps and straight lines look the same.
bool isDense(const Curve& curve) {
  double widest = 0.0;
  for (std::size_t i = 1; i < curve.x.size(); ++i) {
    widest = std::max(widest, std::abs(curve.x[i] - curve.x[i - 1]));
  }
  return curve.x.size() > kDensePoints && widest < kDenseWidth;
}

/// Ascending in x, as QCPGraph requires, with vertical parts in drawing order.
void toAscending(QVector<double>& x, QVector<double>& y) {
  if (x.size() > 1 && x.front() > x.back()) {
    std::reverse(x.begin(), x.end());
    std::reverse(y.begin(), y.end());
  }
}

/// Bars of the intervals of a curve whose points are in ascending order, which marks them.
QCPErrorBars* intervalBars(QCPGraph& graph, const StyledCurve& styled, QCustomPlot& plot) {
  constexpr double kPointSize = 6.0;
  QVector<double> below;
  QVector<double> above;
  for (std::size_t i = 0; i < styled.intervals.size(); ++i) {
    below.push_back(styled.curve.y[i] - styled.intervals[i].low);
    above.push_back(styled.intervals[i].high - styled.curve.y[i]);
  }
  graph.setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssDisc, colorOf(styled), colorOf(styled), kPointSize));
  auto* const bars = new QCPErrorBars(plot.xAxis, plot.yAxis);
  bars->setDataPlottable(&graph);
  bars->setErrorType(QCPErrorBars::etValueError);
  bars->setWhiskerWidth(0.0);
  bars->setSymbolGap(0.0);
  bars->setData(below, above);
  bars->setPen(QPen(colorOf(styled), 1.25));
  bars->removeFromLegend();
  return bars;
}

/// A translucent area over the intervals of a curve in ascending order, below the curve.
void addBand(const StyledCurve& styled, QCustomPlot& plot) {
  constexpr double kOpacity = 0.18;
  QVector<double> x(styled.curve.x.begin(), styled.curve.x.end());
  QVector<double> low;
  QVector<double> high;
  for (const Interval& interval : styled.intervals) {
    low.push_back(interval.low);
    high.push_back(interval.high);
  }
  QCPGraph* const edge = plot.addGraph();
  edge->setPen(Qt::NoPen);
  edge->setData(x, low, true);
  QCPGraph* const area = plot.addGraph();
  area->setPen(Qt::NoPen);
  area->setData(x, high, true);
  area->setBrush(translucent(colorOf(styled), kOpacity));
  area->setChannelFillGraph(edge);
}

}  // namespace

CurvePlot::CurvePlot(QWidget* parent) : PlotBase(parent), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("curvePlot"));
  parts_->legend = new CurveLegend;
  plot().axisRect()->insetLayout()->addElement(parts_->legend, QRectF(0.5, 0.5, 0.1, 0.1));
  parts_->legend->setLayer(QStringLiteral("legend"));
  enableZoom(*plot().axisRect(), {plot().xAxis, plot().yAxis}, true);
  connect(&plot(), &QCustomPlot::afterLayout, this, &CurvePlot::placeLegend);
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

void CurvePlot::setMarker(std::optional<QPointF> marker) {
  if (marker_ == marker) {
    return;
  }
  marker_ = marker;
  if (!parts_->grabbed_at) {
    parts_->placed_in.reset();
  }
  rebuild();
}

void CurvePlot::rebuild() {
  using Kind = CurvePlotValue::Kind;
  const Theme& theme = currentTheme();
  // The legend refers to the old graphs and may be laid out before it gets new entries.
  parts_->legend->setEntries({}, {});
  for (QCPErrorBars* const bars : parts_->bars) {
    plot().removePlottable(bars);
  }
  parts_->bars.clear();
  plot().clearGraphs();
  parts_->graphs.clear();
  parts_->level = nullptr;
  std::vector<LegendEntry> entries;
  const auto summaryText = [this](double summary) {
    return std::isnan(summary)       ? QString()
           : value_.summary_is_share ? shareText(summary)
                                     : scoreText(summary);
  };
  Bounds x_bounds{value_.x_is_logarithmic};
  Bounds y_bounds{value_.y_is_logarithmic};
  bool x_padded = false;

  parts_->baseline = plot().addGraph();
  parts_->baseline->setPen(dashPen(theme.muted, 1, 1.0));
  for (const StyledCurve& styled : value_.curves) {
    const Curve& curve = styled.curve;
    if (styled.is_band) {
      addBand(styled, plot());
    }
    QCPGraph* graph = plot().addGraph();
    QVector<double> x(curve.x.begin(), curve.x.end());
    QVector<double> y(curve.y.begin(), curve.y.end());
    std::for_each(x.begin(), x.end(), [&](double value) { x_bounds.add(value); });
    std::for_each(y.begin(), y.end(), [&](double value) { y_bounds.add(value); });
    for (const Interval& interval : styled.intervals) {
      y_bounds.add(interval.low);
      y_bounds.add(interval.high);
    }
    toAscending(x, y);
    graph->setData(x, y, true);
    if (!styled.intervals.empty() && !styled.is_band) {
      parts_->bars.push_back(intervalBars(*graph, styled, plot()));
      x_padded = true;  // a bar at the edge would be cut
    }
    if (styled.is_dots) {
      constexpr double kDotSize = 3.0;
      const QColor color = translucent(colorOf(styled), 0.35);
      graph->setLineStyle(QCPGraph::lsNone);
      graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color, color, kDotSize));
      x_padded = true;  // dots at the edge would be cut
    }
    // Thin solid lines are much faster to draw, which matters while dragging.
    graph->setPen(styled.role == StyledCurve::Role::kBackground || styled.is_thin
                      ? QPen(colorOf(styled), 1.0)
                      : dashPen(colorOf(styled), styled.dash, 1.75));
    // Without steps there are half as many segments to draw while dragging.
    const bool plain = styled.role != StyledCurve::Role::kRun && isDense(curve);
    if (value_.kind == Kind::kPrecisionRecall && !plain) {
      // Between two thresholds the precision is that of the larger recall: the area of these
      // rectangles is the average precision.
      graph->setLineStyle(QCPGraph::lsStepRight);
    }
    if (value_.has_legend && styled.role != StyledCurve::Role::kBackground && !styled.is_dots) {
      entries.push_back({graph, QString::fromStdString(curve.name), styled.short_name,
                         summaryText(curve.summary)});
    }
    parts_->graphs.push_back(graph);
    if (styled.mark) {
      constexpr double kMarkSize = 8.0;
      QCPGraph* const mark = plot().addGraph();
      mark->setLineStyle(QCPGraph::lsNone);
      mark->setScatterStyle(
          QCPScatterStyle(QCPScatterStyle::ssDisc, colorOf(styled), colorOf(styled), kMarkSize));
      mark->addData(styled.mark->x(), styled.mark->y());
      x_bounds.add(styled.mark->x());
      y_bounds.add(styled.mark->y());
    }
  }
  parts_->level = value_.level ? plot().addGraph() : nullptr;
  if (value_.level) {
    parts_->level->setPen(dashPen(theme.selection, 1, 1.75));
    entries.push_back({parts_->level, value_.level->name, {}, {}});
  }
  parts_->marker = plot().addGraph();
  parts_->marker->setLineStyle(QCPGraph::lsNone);
  parts_->marker->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.selection, 2.0), theme.panel, 9.0));
  if (marker_) {
    parts_->marker->addData(marker_->x(), marker_->y());
  }

  Interval x_range{0.0, 1.0};
  Interval y_range{0.0, 1.0};
  if (value_.kind == Kind::kPrecisionRecall) {
    if (value_.baseline) {
      y_bounds.add(*value_.baseline);
    }
    const double lowest = y_bounds.interval(false).low;
    // Leave a margin below the lowest value and start at a round tick.
    y_range.low = std::clamp(std::floor(lowest * 10.0 - 0.3) / 10.0, 0.0, 0.9);
  } else if (value_.kind == Kind::kGeneric) {
    x_range = x_bounds.interval(x_padded);
    y_range = value_.y_range.value_or(y_bounds.interval(true));
  }
  if (value_.kind == Kind::kRoc) {
    parts_->baseline->setData({0.0, 1.0}, {0.0, 1.0}, true);
  } else if (value_.baseline) {
    parts_->baseline->setData({x_range.low, x_range.high}, {*value_.baseline, *value_.baseline},
                              true);
  }
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
  setFullRange(*plot().xAxis, x_range.low, x_range.high);
  setFullRange(*plot().yAxis, y_range.low, y_range.high);
  showLevel();
  parts_->legend->setEntries(value_.summary_name, std::move(entries));
  parts_->legend->setVisible(value_.has_legend && !value_.curves.empty());
  // Square, or wider if the legend would not fit.
  setAspectLimit(*plot().axisRect(), value_.kind == Kind::kRoc ? 1.0 : 0.0,
                 parts_->legend->fullWidth() + 2 * kLegendMargin);
  replotSoon();
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
  QString shown = QStringLiteral("%1\n%2 %3\n%4 %5")
                      .arg(QString::fromStdString(curve.name), value_.x_label,
                           text(curve.x[point], value_.x_is_share), value_.y_label,
                           text(curve.y[point], value_.y_is_share));
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
