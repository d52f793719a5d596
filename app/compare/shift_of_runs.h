// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/shift/shift_values.h"
#include "core/analysis/comparison.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// One quantity of compared runs under the corruption that `results` have in common: one curve per
/// run, in the style of the run. Omits runs without a result or without the quantity.
[[nodiscard]] CurvePlotValue shiftOfRuns(const std::vector<ComparedRun>& runs,
                                         const std::vector<ShiftResultPtr>& results,
                                         const ShiftQuantity& quantity);

}  // namespace dubito
