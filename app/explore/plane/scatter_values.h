// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/analysis/scatter_data.h"
#include "widgets/scatter_plot.h"

namespace dubito {

/// The scatter plot of two runs, or of one run with itself. `x_name` and `y_name` are the run
/// names, used in labels if the runs differ.
[[nodiscard]] ScatterPlotValue scatterPlotValue(const ScatterDataPtr& data, const QString& x_name,
                                                const QString& y_name);

/// Caption: which items are drawn, and the run (called `x_name`) that determines the colours:
/// "density of 1 000 000 items · 2 000 of 31 415 misclassified on top · colours: correct or
/// misclassified by MC dropout, 50 draws".
[[nodiscard]] QString scatterCaption(const ScatterData& data, const QString& x_name);

/// Ranges of the rectangle on both axes: "entropy 0.3–0.9, mutual information 0.1–0.2".
[[nodiscard]] QString rectangleText(const ScatterPlotValue& value,
                                    const ScatterRectangle& rectangle);

}  // namespace dubito
