// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/histogram_plot.h"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "widgets/number_text.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/selected_layer_qcp.h"
#include "widgets/share_scale.h"

namespace dubito {
namespace {

constexpr double kGrabDistance = 6.0;
constexpr double kDragDistance = 4.0;

/// Bin of `histogram` that contains x; nullopt outside the range.
std::optional<std::size_t> binAt(const Histogram& histogram, double x) {
  const std::vector<double>& edges = histogram.edges;
  if (edges.size() < 2 || x < edges.front() || x > edges.back()) {
    return std::nullopt;
  }
  const auto edge = std::lower_bound(edges.begin(), edges.end(), x);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(edge - edges.begin() - 1, 0));
}

/// Step outline of heights(bin) over the bins of `edges`, closed to the axis at both ends.
template <class Height>
void setSteps(QCPGraph& graph, const std::vector<double>& edges, const Height& height) {
  QVector<double> keys;
  QVector<double> values;
  for (std::size_t bin = 0; bin + 1 < edges.size(); ++bin) {
    keys.push_back(edges[bin]);
    values.push_back(height(bin));
  }
  if (!keys.empty()) {
    keys.push_front(keys.front());
    values.push_front(0.0);
    keys.push_back(edges.back());
    values.push_back(0.0);
  }
  graph.setData(keys, values, true);
}

}  // namespace

struct HistogramPlot::Parts {
  enum class Drag { kNone, kThreshold, kPending, kRange };
  std::vector<QCPGraph*> graphs;
  std::vector<QCPGraph*> selected;  ///< one per group, above all of `graphs`
  ThresholdLine* line = nullptr;
  QCPItemRect* range = nullptr;
  Drag drag = Drag::kNone;
  QPointF pressed;
};

HistogramPlot::HistogramPlot(QWidget* parent)
    : PlotBase(parent), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("histogramPlot"));
  parts_->line = new ThresholdLine(&plot());
  parts_->range = new QCPItemRect(&plot());
  // Between grid and data; buffered, because it is repainted alone while dragging.
  plot().addLayer(QStringLiteral("selection"), plot().layer(QStringLiteral("grid")));
  plot().layer(QStringLiteral("selection"))->setMode(QCPLayer::lmBuffered);
  parts_->range->setLayer(QStringLiteral("selection"));
  addSelectedLayer(plot());
  parts_->range->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
  parts_->range->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
  enableZoom(*plot().axisRect(), {plot().xAxis}, false);
  rebuild();
}

HistogramPlot::~HistogramPlot() = default;

void HistogramPlot::setHistograms(HistogramPlotValue value) {
  value_ = std::move(value);
  if (selected_items_.size() != value_.groups.size()) {
    selected_items_.clear();
  }
  rebuild();
}

void HistogramPlot::setSelected(std::vector<Histogram> selected) {
  if (selected.size() != value_.groups.size()) {
    selected.clear();
  }
  selected_items_ = std::move(selected);
  fillSelected();
  replotLayer(selectedLayer());
}

void HistogramPlot::fillSelected() {
  const bool root = scale_ == Scale::kRoot;
  while (parts_->selected.size() > selected_items_.size()) {
    plot().removeGraph(parts_->selected.back());
    parts_->selected.pop_back();
  }
  for (std::size_t i = 0; i < selected_items_.size(); ++i) {
    if (i == parts_->selected.size()) {
      QCPGraph* const graph = plot().addGraph();
      graph->setLayer(selectedLayer());
      graph->setPen(Qt::NoPen);
      graph->setBrush(translucent(currentTheme().color(value_.groups[i].role), 0.75));
      graph->setLineStyle(QCPGraph::lsStepLeft);
      graph->setAdaptiveSampling(false);
      parts_->selected.push_back(graph);
    }
    const Histogram& all = value_.groups[i].histogram;
    if (selected_items_[i].counts.size() == all.counts.size() && all.total > 0) {
      setSteps(*parts_->selected[i], all.edges, [&](std::size_t bin) {
        const double share =
            static_cast<double>(selected_items_[i].counts[bin]) / static_cast<double>(all.total);
        return root ? std::sqrt(share) : share;
      });
    }
  }
}

void HistogramPlot::setScale(Scale scale) {
  scale_ = scale;
  rebuild();
}

void HistogramPlot::setThreshold(std::optional<double> threshold) {
  threshold_ = threshold;
  placeOverlay();
  replotLayer(QStringLiteral("overlay"));
}

void HistogramPlot::setSelectedRange(std::optional<Interval> range) {
  selected_ = range;
  placeOverlay();
  replotLayer(QStringLiteral("selection"));
}

Interval HistogramPlot::fullRange() const {
  Interval range{0.0, 1.0};
  bool first = true;
  for (const HistogramGroup& group : value_.groups) {
    if (group.histogram.edges.size() < 2) {
      continue;
    }
    const auto& edges = group.histogram.edges;
    range = first
                ? Interval{edges.front(), edges.back()}
                : Interval{std::min(range.low, edges.front()), std::max(range.high, edges.back())};
    first = false;
  }
  return range;
}

double HistogramPlot::topShare() const {
  if (value_.top_share) {
    return *value_.top_share;
  }
  double top = 0.0;
  for (const HistogramGroup& group : value_.groups) {
    for (std::size_t bin = 0; bin < group.histogram.counts.size(); ++bin) {
      top = std::max(top, group.histogram.share(bin));
    }
  }
  // If nearly everything is in one bin, the full scale is easier to read.
  return top > 0.5 || top == 0.0 ? 1.0 : top;
}

void HistogramPlot::rebuild() {
  const Theme& theme = currentTheme();
  const bool root = scale_ == Scale::kRoot;
  plot().clearGraphs();
  parts_->graphs.clear();
  for (const HistogramGroup& group : value_.groups) {
    QCPGraph* graph = plot().addGraph();
    const QColor color = theme.color(group.role);
    graph->setName(group.name);
    graph->setPen(linePen(color, 1.25));
    graph->setBrush(translucent(color, 0.32));
    graph->setLineStyle(QCPGraph::lsStepLeft);
    graph->setAdaptiveSampling(false);
    const Histogram& histogram = group.histogram;
    setSteps(*graph, histogram.edges, [&](std::size_t bin) {
      return root ? std::sqrt(histogram.share(bin)) : histogram.share(bin);
    });
    parts_->graphs.push_back(graph);
  }
  parts_->selected.clear();
  fillSelected();

  const double top = topShare();
  styleAxis(*plot().xAxis, value_.x_label, value_.x_short);
  styleAxis(*plot().yAxis, {});
  plot().xAxis->setTicker(QSharedPointer<RoundTicker>::create(5));
  plot().yAxis->setTicker(fixedTicks(shareTicks(root, top)));
  const Interval range = fullRange();
  setFullRange(*plot().xAxis, range.low, range.high);
  setFullRange(*plot().yAxis, 0.0, (root ? std::sqrt(top) : top) * 1.02);
  placeOverlay();
  replotSoon();
}

void HistogramPlot::placeOverlay() {
  const Theme& theme = currentTheme();
  parts_->line->setVisible(threshold_.has_value());
  parts_->line->setColor(theme.selection);
  if (threshold_) {
    parts_->line->setX(*threshold_);
  }
  parts_->range->setVisible(selected_.has_value());
  parts_->range->setPen(linePen(translucent(theme.selection, 0.45), 1.0));
  parts_->range->setBrush(translucent(theme.selection, 0.10));
  if (selected_) {
    parts_->range->topLeft->setCoords(selected_->low, 0.0);
    parts_->range->bottomRight->setCoords(selected_->high, 1.0);
  }
}

PlotTable HistogramPlot::table() const {
  PlotTable table;
  table.columns = {"group", "low", "high", "count", "share"};
  if (!selected_items_.empty()) {
    table.columns << "selected";
  }
  for (std::size_t i = 0; i < value_.groups.size(); ++i) {
    const HistogramGroup& group = value_.groups[i];
    const Histogram& histogram = group.histogram;
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
      table.rows.push_back({group.name, histogram.edges[bin], histogram.edges[bin + 1],
                            static_cast<qlonglong>(histogram.counts[bin]), histogram.share(bin)});
      if (!selected_items_.empty()) {
        const std::vector<std::int64_t>& counts = selected_items_[i].counts;
        table.rows.back().push_back(static_cast<qlonglong>(bin < counts.size() ? counts[bin] : 0));
      }
    }
  }
  return table;
}

QString HistogramPlot::hoverText(const QPointF& position) const {
  if (!plot().axisRect()->rect().contains(position.toPoint())) {
    return {};
  }
  const double x = plot().xAxis->pixelToCoord(position.x());
  QStringList lines;
  for (std::size_t i = 0; i < value_.groups.size(); ++i) {
    const HistogramGroup& group = value_.groups[i];
    const auto bin = binAt(group.histogram, x);
    if (!bin) {
      continue;
    }
    if (lines.isEmpty()) {
      lines << QStringLiteral("%1 %2 – %3")
                   .arg(value_.quantity, shortText(group.histogram.edges[*bin], 4),
                        shortText(group.histogram.edges[*bin + 1], 4))
                   .trimmed();
    }
    lines << tr("%1: %2 (%3 of %4)")
                 .arg(group.name, shareText(group.histogram.share(*bin)),
                      countText(group.histogram.counts[*bin]), countText(group.histogram.total));
    if (i < selected_items_.size() && *bin < selected_items_[i].counts.size()) {
      lines.back() += tr(", selected %1").arg(countText(selected_items_[i].counts[*bin]));
    }
  }
  return lines.join(u'\n');
}

bool HistogramPlot::mousePressed(const QPointF& position) {
  const QRect rect = plot().axisRect()->rect().adjusted(-4, -8, 4, 4);
  if (!rect.contains(position.toPoint())) {
    return false;
  }
  parts_->pressed = position;
  const bool on_line = threshold_ && std::abs(plot().xAxis->coordToPixel(*threshold_) -
                                              position.x()) <= kGrabDistance;
  parts_->drag = on_line ? Parts::Drag::kThreshold : Parts::Drag::kPending;
  return true;
}

bool HistogramPlot::mouseMoved(const QPointF& position) {
  const Interval full = fullRange();
  const double x = std::clamp(plot().xAxis->pixelToCoord(position.x()), full.low, full.high);
  switch (parts_->drag) {
    case Parts::Drag::kNone: {
      const bool on_line = threshold_ && std::abs(plot().xAxis->coordToPixel(*threshold_) -
                                                  position.x()) <= kGrabDistance;
      plot().setCursor(on_line ? Qt::SizeHorCursor : Qt::ArrowCursor);
      return false;
    }
    case Parts::Drag::kThreshold:
      setThreshold(x);
      Q_EMIT thresholdMoved(x);
      return true;
    case Parts::Drag::kPending:
      if (std::abs(position.x() - parts_->pressed.x()) < kDragDistance) {
        return true;
      }
      parts_->drag = Parts::Drag::kRange;
      [[fallthrough]];
    case Parts::Drag::kRange: {
      const double start =
          std::clamp(plot().xAxis->pixelToCoord(parts_->pressed.x()), full.low, full.high);
      setSelectedRange(Interval{std::min(start, x), std::max(start, x)});
      Q_EMIT rangeDragged(*selected_);
      return true;
    }
  }
  return false;
}

bool HistogramPlot::mouseReleased(const QPointF& position) {
  if (parts_->drag == Parts::Drag::kNone) {
    return false;
  }
  if (parts_->drag != Parts::Drag::kPending) {
    mouseMoved(position);
  }
  const auto drag = std::exchange(parts_->drag, Parts::Drag::kNone);
  if (drag == Parts::Drag::kThreshold) {
    Q_EMIT thresholdReleased(*threshold_);
  } else if (drag == Parts::Drag::kRange) {
    Q_EMIT rangeSelected(*selected_);
  } else if (selected_) {
    setSelectedRange(std::nullopt);
    Q_EMIT selectionCleared();
  }
  return true;
}

}  // namespace dubito
