// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/analysis.h"
#include "core/inference/runs/predict.h"

namespace dubito {

/// The ensemble of analyses over the same items: joins their in-distribution runs, and the OOD runs
/// that all have under the same name; other OOD runs are left out and noted. Blocking; for a worker
/// thread. Errors of ensembleRun, naming the analysis.
[[nodiscard]] Expected<AnalysisPtr> joinAnalyses(const std::vector<AnalysisPtr>& members,
                                                 const PredictOptions& options,
                                                 const EvaluationOptions& evaluation,
                                                 RunContext& context);

}  // namespace dubito
