// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/analysis/comparison.h"
#include "core/metrics/paired_difference.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// One curve per run that ranks items by `score`, in the colour of the run's row in the table.
/// Omits runs without the score, with different items than `reference`, or with a different ranking
/// convention.
[[nodiscard]] CurvePlotValue compareRoc(const std::vector<ComparedRun>& runs,
                                        const Analysis& reference, const std::string& score);
[[nodiscard]] CurvePlotValue compareRejection(const std::vector<ComparedRun>& runs,
                                              const Analysis& reference, const std::string& score);

/// Accuracy against mean confidence per non-empty bin: one curve per run, with its ECE in the
/// legend. Omits runs without labels or with different items than `reference`.
[[nodiscard]] CurvePlotValue compareReliability(const std::vector<ComparedRun>& runs,
                                                const Analysis& reference);

/// Metric differences with their 95 % intervals: "accuracy +0.12 points [−0.03, +0.27] · NLL
/// −0.0031 [−0.0042, −0.0019] (better) · 10 000 items, ...".
[[nodiscard]] QString differenceText(const PairedComparison& comparison);

}  // namespace dubito
