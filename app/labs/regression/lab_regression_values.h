// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "app/labs/regression/regression_runner.h"
#include "widgets/band_plot.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// The axes with which data are shown at first: the inputs that belong to them, and room above and
/// below the points.
[[nodiscard]] RegressionAxes fittingAxes(const RegressionData& data);

/// The plot of one method over `axes`. `entry` may have no picture yet: then only the points are
/// shown.
[[nodiscard]] BandPlotValue bandPlotOf(const RegressionRunner& runner, std::size_t entry,
                                       const RegressionAxes& axes);

/// Method, data, number of points and progress: "100 points · seed 0 · 600 of 2 000 epochs".
[[nodiscard]] QString bandCaption(const RegressionRunner& runner, std::size_t entry);

/// Scores of all methods, one row per method, with the distance to HMC if that is among them.
[[nodiscard]] CompareTableValue regressionTable(const RegressionRunner& runner);

/// The points that the scores refer to, and where these lie.
[[nodiscard]] QString regressionTableCaption(const RegressionRunner& runner);

/// What a method recorded over its steps: the ELBO, the loss, the evidence of each start, or a
/// prediction of each chain, with the name of the quantity at the y axis. Without curves if it has
/// recorded nothing yet.
[[nodiscard]] CurvePlotValue courseOf(const RegressionRunner::Entry& entry);

}  // namespace dubito
