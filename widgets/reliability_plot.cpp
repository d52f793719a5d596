// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/reliability_plot.h"

#include <algorithm>
#include <cmath>

#include "core/base/nan.h"
#include "widgets/number_text.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/selected_layer_qcp.h"
#include "widgets/share_scale.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kStripHeight = 44;
// A count of one must be visible above the floor of the logarithmic axis.
constexpr double kCountFloor = 0.5;

/// Outlines of columns over [low, high] as one graph, separated by NaN.
struct Columns {
  QVector<double> keys;
  QVector<double> values;
  void add(double low, double high, double height, double floor) {
    keys << low << low << high << high << high;
    values << floor << height << height << floor << kNaN;
  }
};

/// Bin `j` with a visible width. The first equal-mass bin has zero width if its items share one
/// confidence.
ReliabilityBin visibleBin(const ReliabilityDiagram& diagram, std::size_t j) {
  constexpr double kMinWidth = 0.008;
  ReliabilityBin bin = diagram.bins[j];
  if (bin.low == bin.high) {
    bin.low = std::max(0.0, bin.high - kMinWidth);
    if (bin.low == bin.high) {  // all 0: at most half of the next bin
      const bool is_last = j + 1 == diagram.bins.size();
      bin.high = std::min(kMinWidth, is_last ? 1.0 : diagram.bins[j + 1].high / 2.0);
    }
  } else if (j == 1) {
    bin.low = std::max(bin.low, visibleBin(diagram, 0).high);
  }
  return bin;
}

LabelledTicks countTicks(std::int64_t largest) {
  const int top = largest > 1 ? static_cast<int>(std::floor(std::log10(largest))) : 0;
  const int step = top >= 3 ? 2 : 1;
  LabelledTicks ticks;
  for (int exponent = 0; exponent <= top; exponent += step) {
    const int thousands = exponent / 3;
    const QString suffix = QStringLiteral(" kMG").mid(thousands, 1).trimmed();
    ticks.emplace_back(
        std::pow(10.0, exponent),
        QString::number(std::lround(std::pow(10.0, exponent - 3 * thousands))) + suffix);
  }
  return ticks;
}

}  // namespace

struct ReliabilityPlot::Parts {
  QCPAxisRect* upper = nullptr;
  QCPAxisRect* strip = nullptr;
  QCPGraph* bars = nullptr;
  QCPGraph* marked_bar = nullptr;
  QCPGraph* counts = nullptr;
  QCPGraph* marked_count = nullptr;
  QCPGraph* selected_accuracies = nullptr;
  QCPGraph* selected_counts = nullptr;
  QCPGraph* diagonal = nullptr;
  QCPGraph* centres = nullptr;
  QCPErrorBars* intervals = nullptr;

  [[nodiscard]] QCPAxis* x() const { return upper->axis(QCPAxis::atBottom); }
  [[nodiscard]] QCPAxis* y() const { return upper->axis(QCPAxis::atLeft); }
  [[nodiscard]] QCPAxis* stripX() const { return strip->axis(QCPAxis::atBottom); }
  [[nodiscard]] QCPAxis* stripY() const { return strip->axis(QCPAxis::atLeft); }
};

ReliabilityPlot::ReliabilityPlot(QWidget* parent)
    : PlotBase(parent),
      probability_(tr("confidence")),
      share_(tr("accuracy")),
      parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("reliabilityPlot"));
  Parts& parts = *parts_;
  parts.upper = plot().axisRect();
  parts.strip = new QCPAxisRect(&plot());
  parts.strip->setMinimumMargins(QMargins(0, 0, 4 * kGrid, 0));
  parts.strip->setSizeConstraintRect(QCPLayoutElement::scrInnerRect);
  parts.strip->setMinimumSize(16, kStripHeight);
  parts.strip->setMaximumSize(QWIDGETSIZE_MAX, kStripHeight);
  plot().plotLayout()->addElement(1, 0, parts.strip);
  plot().plotLayout()->setRowSpacing(2 * kGrid);
  auto* margins = new QCPMarginGroup(&plot());
  parts.upper->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
  parts.strip->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
  for (QCPAxis* axis : parts.strip->axes()) {
    axis->setLayer(QStringLiteral("axes"));
    axis->grid()->setLayer(QStringLiteral("grid"));
  }
  parts.stripY()->setScaleType(QCPAxis::stLogarithmic);
  parts.x()->setTickLabels(false);

  const auto add = [this](QCPAxis* key, QCPAxis* value, const char* name) {
    QCPGraph* graph = plot().addGraph(key, value);
    graph->setName(QLatin1String(name));
    graph->setAdaptiveSampling(false);
    return graph;
  };
  parts.bars = add(parts.x(), parts.y(), "accuracy");
  parts.marked_bar = add(parts.x(), parts.y(), "marked accuracy");
  parts.counts = add(parts.stripX(), parts.stripY(), "count");
  parts.marked_count = add(parts.stripX(), parts.stripY(), "marked count");
  parts.diagonal = add(parts.x(), parts.y(), "diagonal");
  parts.centres = add(parts.x(), parts.y(), "centres");
  parts.centres->setLineStyle(QCPGraph::lsNone);
  parts.selected_counts = add(parts.stripX(), parts.stripY(), "selected count");
  parts.selected_accuracies = add(parts.x(), parts.y(), "selected accuracy");
  addSelectedLayer(plot());
  parts.selected_counts->setLayer(selectedLayer());
  parts.selected_accuracies->setLayer(selectedLayer());
  parts.intervals = new QCPErrorBars(parts.x(), parts.y());
  parts.intervals->setDataPlottable(parts.centres);
  parts.intervals->setErrorType(QCPErrorBars::etValueError);
  parts.intervals->setWhiskerWidth(0.0);
  parts.intervals->setSymbolGap(0.0);

  const auto follow = [this](QCPAxis* from, QCPAxis* to) {
    connect(from, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
            [to](const QCPRange& range) { to->setRange(range); });
  };
  follow(parts.x(), parts.stripX());
  follow(parts.stripX(), parts.x());
  enableZoom(*parts.upper, {parts.x()}, true);
  enableZoom(*parts.strip, {parts.stripX()}, true);
  setAspectLimit(*parts.upper, 1.5);

  rebuild();
}

ReliabilityPlot::~ReliabilityPlot() = default;

void ReliabilityPlot::clicked(const QPointF& position) {
  const auto bin = binAt(position);
  if (!bin) {
    return;
  }
  if (bin == selected_) {
    setSelectedBin(std::nullopt);
    Q_EMIT selectionCleared();
  } else {
    setSelectedBin(bin);
    Q_EMIT binSelected(*bin);
  }
}

void ReliabilityPlot::setDiagram(ReliabilityDiagram diagram) {
  diagram_ = std::move(diagram);
  if (selected_ && *selected_ >= static_cast<int>(diagram_.bins.size())) {
    selected_.reset();
  }
  rebuild();
}

void ReliabilityPlot::setQuantities(const QString& probability, const QString& share) {
  if (probability_ != probability || share_ != share) {
    probability_ = probability;
    share_ = share;
    rebuild();
  }
}

void ReliabilityPlot::setCountCeiling(std::optional<std::int64_t> items) {
  count_ceiling_ = items;
  rebuild();
}

void ReliabilityPlot::setSelectedBin(std::optional<int> bin) {
  const int count = static_cast<int>(diagram_.bins.size());
  selected_ = bin && *bin >= 0 && *bin < count ? bin : std::nullopt;
  rebuild();
}

void ReliabilityPlot::setSelected(std::optional<ReliabilityDiagram> selected) {
  selected_items_ = std::move(selected);
  fillSelected();
  replotLayer(selectedLayer());
}

void ReliabilityPlot::fillSelected() {
  const Theme& theme = currentTheme();
  Columns counts;
  QVector<double> ends;
  QVector<double> accuracies;
  const bool any =
      selected_items_.has_value() && selected_items_->bins.size() == diagram_.bins.size();
  for (std::size_t j = 0; any && j < diagram_.bins.size(); ++j) {
    const ReliabilityBin bin = visibleBin(*selected_items_, j);
    if (bin.count > 0) {
      counts.add(bin.low, bin.high, static_cast<double>(bin.count), kCountFloor);
      ends << bin.low << bin.high << bin.high;
      accuracies << bin.accuracy << bin.accuracy << kNaN;
    }
  }
  parts_->selected_counts->setData(counts.keys, counts.values, true);
  parts_->selected_counts->setPen(Qt::NoPen);
  parts_->selected_counts->setBrush(translucent(theme.selection, 0.75));
  parts_->selected_accuracies->setData(ends, accuracies, true);
  parts_->selected_accuracies->setPen(linePen(theme.selection, 2.5));
}

void ReliabilityPlot::rebuild() {
  const Theme& theme = currentTheme();
  Parts& parts = *parts_;
  Columns bars;
  Columns marked_bars;
  Columns counts;
  Columns marked_counts;
  QVector<double> centres;
  QVector<double> accuracies;
  QVector<double> below;
  QVector<double> above;
  std::int64_t largest = std::max<std::int64_t>(1, count_ceiling_.value_or(1));
  for (std::size_t j = 0; j < diagram_.bins.size(); ++j) {
    const ReliabilityBin bin = visibleBin(diagram_, j);
    if (bin.count == 0) {
      continue;
    }
    largest = std::max(largest, bin.count);
    const bool marked = selected_ && static_cast<std::size_t>(*selected_) == j;
    (marked ? marked_bars : bars).add(bin.low, bin.high, bin.accuracy, 0.0);
    (marked ? marked_counts : counts)
        .add(bin.low, bin.high, static_cast<double>(bin.count), kCountFloor);
    centres.push_back((bin.low + bin.high) / 2.0);
    accuracies.push_back(bin.accuracy);
    below.push_back(bin.accuracy - bin.wilson95.low);
    above.push_back(bin.wilson95.high - bin.accuracy);
  }
  const auto fill = [](QCPGraph* graph, const Columns& columns, const QColor& color, double alpha) {
    graph->setData(columns.keys, columns.values, true);
    graph->setPen(linePen(translucent(color, std::min(1.0, alpha + 0.25)), 1.0));
    graph->setBrush(translucent(color, alpha));
  };
  fill(parts.bars, bars, theme.accent, 0.32);
  fill(parts.marked_bar, marked_bars, theme.accent, 0.75);
  fill(parts.counts, counts, theme.muted, 0.45);
  fill(parts.marked_count, marked_counts, theme.muted, 0.85);
  fillSelected();
  parts.diagonal->setData({0.0, 1.0}, {0.0, 1.0}, true);
  parts.diagonal->setPen(dashPen(theme.muted, 1, 1.0));
  parts.centres->setData(centres, accuracies, true);
  parts.intervals->setData(below, above);
  parts.intervals->setPen(linePen(theme.text, 1.25));

  styleAxis(*parts.x(), {});
  styleAxis(*parts.y(), percentTitle(share_));
  styleAxis(*parts.stripX(), percentTitle(probability_));
  styleAxis(*parts.stripY(), tr("count"));
  for (QCPAxis* axis : {parts.x(), parts.y(), parts.stripX()}) {
    axis->setTicker(QSharedPointer<RoundTicker>::create(5, RoundTicker::Unit::kPercent));
  }
  parts.stripY()->setTicker(fixedTicks(countTicks(largest)));
  setFullRange(*parts.x(), 0.0, 1.0);
  setFullRange(*parts.stripX(), 0.0, 1.0);
  setFullRange(*parts.y(), 0.0, 1.0);
  setFullRange(*parts.stripY(), kCountFloor, static_cast<double>(largest) * 1.5);
  replotSoon();
}

PlotTable ReliabilityPlot::table() const {
  PlotTable table;
  table.columns = {"low", "high", "count", "accuracy", "confidence", "wilson_low", "wilson_high"};
  const bool with_selected =
      selected_items_.has_value() && selected_items_->bins.size() == diagram_.bins.size();
  if (with_selected) {
    table.columns << "selected"
                  << "selected_accuracy";
  }
  for (std::size_t j = 0; j < diagram_.bins.size(); ++j) {
    const ReliabilityBin& bin = diagram_.bins[j];
    table.rows.push_back({bin.low, bin.high, static_cast<qlonglong>(bin.count), bin.accuracy,
                          bin.confidence, bin.wilson95.low, bin.wilson95.high});
    if (with_selected) {
      const ReliabilityBin& selected = selected_items_->bins[j];
      table.rows.back().push_back(static_cast<qlonglong>(selected.count));
      table.rows.back().push_back(selected.accuracy);
    }
  }
  return table;
}

std::optional<int> ReliabilityPlot::binAt(const QPointF& position) const {
  const QPoint point = position.toPoint();
  if (!parts_->upper->rect().contains(point) && !parts_->strip->rect().contains(point)) {
    return std::nullopt;
  }
  const double x = parts_->x()->pixelToCoord(position.x());
  for (std::size_t j = 0; j < diagram_.bins.size(); ++j) {
    const ReliabilityBin bin = visibleBin(diagram_, j);
    if (x <= bin.high && (x > bin.low || j == 0)) {
      return static_cast<int>(j);
    }
  }
  return std::nullopt;
}

QString ReliabilityPlot::hoverText(const QPointF& position) const {
  const auto index = binAt(position);
  if (!index) {
    return {};
  }
  const ReliabilityBin& bin = diagram_.bins[static_cast<std::size_t>(*index)];
  const QString range = tr("%1 %2 – %3").arg(probability_, shareText(bin.low), shareText(bin.high));
  if (bin.count == 0) {
    return range + u'\n' + tr("no items");
  }
  return range + u'\n' +
         tr("%1 %2, 95 % interval %3 – %4")
             .arg(share_, shareText(bin.accuracy), shareText(bin.wilson95.low),
                  shareText(bin.wilson95.high)) +
         u'\n' +
         tr("mean %1 %2, gap %3")
             .arg(probability_, shareText(bin.confidence),
                  shareText(std::abs(bin.accuracy - bin.confidence))) +
         u'\n' + tr("%1 of %2 items").arg(countText(bin.count), countText(diagram_.total)) +
         (selected_items_ && selected_items_->bins.size() == diagram_.bins.size() &&
                  selected_items_->bins[static_cast<std::size_t>(*index)].count > 0
              ? u'\n' + tr("selected: %1, %2 %3")
                            .arg(countText(
                                selected_items_->bins[static_cast<std::size_t>(*index)].count))
                            .arg(share_)
                            .arg(shareText(
                                selected_items_->bins[static_cast<std::size_t>(*index)].accuracy))
              : QString());
}

}  // namespace dubito
