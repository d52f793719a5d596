// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/study/study_results.h"
#include "core/study/svg_chart.h"

namespace dubito {

/// Figures under a heading.
struct FigureGroup {
  std::string heading;
  std::string text;  ///< what they show
  std::vector<Chart> charts;
};

/// For the chosen seed and targets: histograms of the score by outcome, calibration with and
/// without OOD items, ROC and precision-recall curves. Rows whose runs are missing are left out.
/// Errors of readRun, makeOverview and makeReliability.
[[nodiscard]] Expected<std::vector<FigureGroup>> seedFigures(const StudySpec& spec,
                                                             const StudyPlan& plan,
                                                             RunContext& context);

/// Accuracy and ECE against the severity of each shift, mean and standard deviation over seeds.
/// Empty without shifts.
[[nodiscard]] FigureGroup severityFigures(const StudySpec& spec, const StudyResults& results);

/// The precision that each rule keeps, and the share that it labels, per target: mean and range
/// over the rows of the figures. Empty without labelling.
[[nodiscard]] FigureGroup labellingFigures(const StudySpec& spec, const StudyResults& results);

/// The rows that figures show, as indices.
[[nodiscard]] std::vector<std::size_t> shownRows(const StudySpec& spec);

}  // namespace dubito
