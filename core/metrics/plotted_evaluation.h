// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/evaluation.h"

namespace dubito {

/// The metrics of a run, and the data of its plots.
struct PlottedEvaluation {
  Evaluation evaluation;
  Overview overview;
};

/// evaluate() and makeOverview() together, in little more time than one of them: each score is
/// sorted once. Errors of evaluate().
[[nodiscard]] Expected<PlottedEvaluation> evaluateForPlots(const Run& run,
                                                           const std::vector<NamedRun>& ood,
                                                           const EvaluationOptions& options,
                                                           RunContext& context);

}  // namespace dubito
