// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/analysis/comparison.h"
#include "core/metrics/paired_difference.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// The table of compared runs; `shown` is marked as the run of the other pages.
[[nodiscard]] CompareTableValue compareTable(const std::vector<ComparedRun>& runs,
                                             const AnalysisPtr& shown);

/// One curve a run, by that score, in the colour of the run's row. Runs without it are left out,
/// and those that are over other items than `reference`, or ranked against others.
[[nodiscard]] CurvePlotValue compareRoc(const std::vector<ComparedRun>& runs,
                                        const Analysis& reference, const std::string& score);
[[nodiscard]] CurvePlotValue compareRejection(const std::vector<ComparedRun>& runs,
                                              const Analysis& reference, const std::string& score);

/// Accuracy against mean confidence in the bins that hold items, one curve a run with its ECE. Runs
/// without labels are left out, and those over other items than `reference`.
[[nodiscard]] CurvePlotValue compareReliability(const std::vector<ComparedRun>& runs,
                                                const Analysis& reference);

/// "accuracy +0.12 % [−0.03, 0.27] · NLL −0.0031 [−0.0042, −0.0019] (better) · 10 000 items, ...".
[[nodiscard]] QString differenceText(const PairedComparison& comparison);

}  // namespace dubito
