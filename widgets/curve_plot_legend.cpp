// SPDX-License-Identifier: GPL-3.0-or-later
// Places the legend of a CurvePlot.
#include <algorithm>
#include <optional>

#include "widgets/curve_plot_parts_qcp.h"
#include "widgets/legend_spot.h"

namespace dubito {
namespace {

constexpr std::size_t kLegendSamples = 2000;

}  // namespace

void CurvePlot::placeLegend() {
  Parts& parts = *parts_;
  if (!hasLegend()) {
    return;
  }
  if (plot().axisRect()->width() < 8 + 2 * kLegendMargin ||
      plot().axisRect()->height() < 8 + 2 * kLegendMargin) {
    return;
  }
  const auto surroundings = [&] {
    return Parts::Surroundings{plot().axisRect()->rect(), parts.legend->minimumOuterSizeHint(),
                               plot().xAxis->range(), plot().yAxis->range()};
  };
  if (parts.placed_in == surroundings()) {
    return;
  }
  // A zoomed plot keeps its layout, and so does one resized only by the legend itself.
  const bool may_move = !isZoomed();
  if (may_move && parts.side_chosen_for != size()) {
    parts.side_chosen_for = size();
    moveLegend(false);
  }
  if (!parts.legend_outside) {
    if (!placeLegendInside() && may_move) {
      moveLegend(true);
    }
  }
  if (parts.legend_outside) {
    parts.legend->fitLines(plot().width());
    updateLayout();
  }
  parts.placed_in = surroundings();
}

void CurvePlot::exportingChanged() {
  if (value_.has_legend || !value_.exports_legend) {
    return;
  }
  if (!isExporting()) {
    moveLegend(false);
  }
  parts_->placed_in.reset();
  parts_->side_chosen_for.reset();
  showLegend();
  if (isExporting()) {
    updateLayout();
    placeLegend();
    if (parts_->legend_outside) {
      // The picture becomes higher; the axes keep their height. Afterwards the plot gets its size
      // back from showLegend().
      plot().resize(plot().width(),
                    plot().height() + parts_->legend->minimumOuterSizeHint().height());
      parts_->placed_in.reset();
    }
  }
}

void CurvePlot::moveLegend(bool outside) {
  if (parts_->legend_outside == outside) {
    return;
  }
  parts_->legend_outside = outside;
  CurveLegend* const legend = parts_->legend;
  QCPLayoutGrid* const grid = plot().plotLayout();
  QCPLayoutInset* const inset = plot().axisRect()->insetLayout();
  if (outside) {
    inset->take(legend);
    grid->insertRow(0);
    grid->addElement(0, 0, legend);
    grid->setRowStretchFactor(0, 0.001);  // only as high as its lines
  } else {
    grid->take(legend);
    grid->simplify();
    inset->addElement(legend, QRectF(0.5, 0.5, 0.1, 0.1));
    updateLayout();
  }
}

void CurvePlot::updateLayout() {
  for (const auto phase :
       {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout}) {
    plot().plotLayout()->update(phase);
  }
}

bool CurvePlot::placeLegendInside() {
  const QRect area = plot().axisRect()->rect().adjusted(kLegendMargin, kLegendMargin,
                                                        -kLegendMargin, -kLegendMargin);
  parts_->legend->fitTo(area.width());
  const QSize size = parts_->legend->minimumOuterSizeHint();
  std::vector<QPointF> pixels;
  std::vector<QPointF> guides;
  std::vector<QPointF> line;
  const auto cover = [&](const QCPGraph* graph, std::vector<QPointF>& covered) {
    const auto container = graph->data();
    const int count = container->size();
    const int stride = std::max(1, count / static_cast<int>(kLegendSamples));
    line.clear();
    for (int i = 0; i < count; i += stride) {
      const QCPGraphData& point = *(container->constBegin() + i);
      line.push_back(graph->coordsToPixels(point.key, point.value));
    }
    appendPixels(line, covered);
  };
  cover(parts_->baseline, guides);
  if (parts_->level != nullptr) {
    cover(parts_->level, guides);
  }
  // Ignore selection curves: the legend would jump while dragging.
  const bool nothing_selected = std::ranges::none_of(value_.curves, isOfSelection);
  for (std::size_t c = 0; c < parts_->graphs.size(); ++c) {
    if (isOfAll(value_.curves[c])) {
      cover(parts_->graphs[c], pixels);
    } else if (nothing_selected) {
      cover(parts_->graphs[c], guides);
    }
  }
  const PointCounts curves(area, pixels);
  std::optional<PointCounts> with_marker;
  if (marker_) {
    pixels.push_back(parts_->marker->coordsToPixels(marker_->x(), marker_->y()));
    with_marker.emplace(area, pixels);
  }
  const PointCounts& points = with_marker ? *with_marker : curves;
  const PointCounts guide_points(area, guides);
  LegendSpot found = emptySpot(area, size, points, guide_points);
  if (found.covered > 0) {
    // Short names may fit where full names cover a curve.
    parts_->legend->fitTo(area.width(), true);
    const LegendSpot shorter =
        emptySpot(area, parts_->legend->minimumOuterSizeHint(), points, guide_points);
    if (shorter.covered < found.covered) {
      found = shorter;
    } else {
      parts_->legend->fitTo(area.width());
    }
  }
  const QRect spot = found.rect;
  QCPLayoutInset* inset = plot().axisRect()->insetLayout();
  const QRectF whole = inset->rect();
  for (int i = 0; i < inset->elementCount(); ++i) {
    if (inset->elementAt(i) == parts_->legend) {
      inset->setInsetRect(
          i, QRectF((spot.x() - whole.x()) / whole.width(), (spot.y() - whole.y()) / whole.height(),
                    spot.width() / whole.width(), spot.height() / whole.height()));
    }
  }
  inset->update(QCPLayoutElement::upLayout);
  // The legend ignores the marker, which moves with the threshold.
  return emptySpot(area, spot.size(), curves, guide_points).covered == 0;
}

}  // namespace dubito
