// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/analysis.h"
#include "core/predict/predict.h"

namespace dubito {

/// Refuses, without computing, what joinAnalyses() would refuse because of its members.
[[nodiscard]] Status checkJoin(const std::vector<AnalysisPtr>& members);

/// The ensemble of analyses of the same items. Joins their in-distribution runs, and those OOD runs
/// that all members have under the same name; other OOD runs are omitted, with a note. Blocking;
/// for a worker thread. Errors of ensembleRun, naming the analysis.
[[nodiscard]] Expected<AnalysisPtr> joinAnalyses(const std::vector<AnalysisPtr>& members,
                                                 const PredictOptions& options,
                                                 const EvaluationOptions& evaluation,
                                                 RunContext& context);

}  // namespace dubito
