// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/regression/regression_runner.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// What a method recorded over its steps: the ELBO, the loss, the evidence of each start, or a
/// prediction of each chain, with the name of the quantity at the y axis. Without curves if it has
/// recorded nothing yet.
[[nodiscard]] CurvePlotValue courseOf(const RegressionRunner::Entry& entry);

}  // namespace dubito
