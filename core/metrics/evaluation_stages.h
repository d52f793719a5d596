// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/run_scores.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {

// What evaluate() and makeOverview() have in common.

/// The scores of a run and of its OOD runs.
struct GatheredScores {
  RunScores in;
  std::vector<RunScores> ood;
};

/// Checks the options and the runs.
[[nodiscard]] Expected<GatheredScores> gatherAllScores(const Run& run,
                                                       const std::vector<NamedRun>& ood,
                                                       const EvaluationOptions& options,
                                                       const RunContext& context);

/// What else is done with scores.in.scores[position] when it is sorted; may be called on several
/// threads at once.
using UseOfScore = std::function<void(std::size_t position, const SortedScore&)>;

/// The evaluation of gathered scores; `also` may be empty.
[[nodiscard]] Expected<Evaluation> evaluateScores(const Run& run, const GatheredScores& scores,
                                                  const EvaluationOptions& options,
                                                  RunContext& context, const UseOfScore& also);

}  // namespace dubito
