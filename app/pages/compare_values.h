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

/// The table of compared runs; marks `shown` as the run shown on the other pages.
[[nodiscard]] CompareTableValue compareTable(const std::vector<ComparedRun>& runs,
                                             const AnalysisPtr& shown);

/// One curve per run for that score, in the colour of the run's row. Omits runs without the score,
/// with other items than `reference`, or with another ranking.
[[nodiscard]] CurvePlotValue compareRoc(const std::vector<ComparedRun>& runs,
                                        const Analysis& reference, const std::string& score);
[[nodiscard]] CurvePlotValue compareRejection(const std::vector<ComparedRun>& runs,
                                              const Analysis& reference, const std::string& score);

/// Accuracy by mean confidence in non-empty bins, one curve per run with its ECE. Omits runs
/// without labels or with other items than `reference`.
[[nodiscard]] CurvePlotValue compareReliability(const std::vector<ComparedRun>& runs,
                                                const Analysis& reference);

/// "accuracy +0.12 % [−0.03, 0.27] · NLL −0.0031 [−0.0042, −0.0019] (better) · 10 000 items, ...".
[[nodiscard]] QString differenceText(const PairedComparison& comparison);

}  // namespace dubito
