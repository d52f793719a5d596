// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/analysis/scatter_data.h"
#include "widgets/scatter_plot.h"

namespace dubito {

/// The plot of joined runs; `x_name` and `y_name` distinguish two runs.
[[nodiscard]] ScatterPlotValue scatterPlotValue(const ScatterDataPtr& data, const QString& x_name,
                                                const QString& y_name);

/// What is drawn, and whose predictions colour it: "density of 1 000 000 items · 2 000 of 31 415
/// misclassified on top · correct or not according to MC dropout T=50".
[[nodiscard]] QString scatterCaption(const ScatterData& data, const QString& x_name);

/// What the items of a rectangle share: "entropy 0.3–0.9, mutual information 0.1–0.2".
[[nodiscard]] QString rectangleText(const ScatterPlotValue& value,
                                    const ScatterRectangle& rectangle);

}  // namespace dubito
