// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "widgets/curve_plot.h"
#include "widgets/plot_parts_qcp.h"

namespace dubito {

/// Whether the intervals of a curve are drawn as bars.
[[nodiscard]] bool hasBars(const StyledCurve& styled);

/// Gives `graph` the points of a curve, in a plot of this kind.
void setCurveData(const StyledCurve& styled, CurvePlotValue::Kind kind, QCPGraph& graph);

/// Adds the graph of a curve to `plot`, with its intervals as a band below it or as `bars`.
QCPGraph* addCurveGraph(const StyledCurve& styled, CurvePlotValue::Kind kind, QCustomPlot& plot,
                        std::vector<QCPErrorBars*>& bars);

/// Adds a disc in the color of a curve to `plot`.
void addCurveMark(const StyledCurve& styled, const QPointF& position, QCustomPlot& plot);

/// Adds the background and the name of `shade` to `plot`, below the curves.
[[nodiscard]] std::vector<QCPAbstractItem*> addShade(const CurveShade& shade, QCustomPlot& plot);

}  // namespace dubito
