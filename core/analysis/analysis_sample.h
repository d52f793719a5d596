// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/analysis/analysis.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// The analysis of some items of a run, of which plots can be shown until that of all is there.
struct AnalysisSample {
  AnalysisPtr analysis;  ///< null: none
  std::int64_t of = 0;   ///< items of the run
};

/// Items of a sample of `run`; 0 if it has so few that a sample would hardly be there earlier, or
/// is so wide that a sample would have to be too small.
[[nodiscard]] std::int64_t sampleSize(const Run& run);

/// Analyses sampleSize() > 0 items of `run`, chosen by keyedRows(), without their dataset.
/// Blocking; for a worker thread. Errors as of analyse().
[[nodiscard]] Expected<AnalysisSample> analyseSample(const std::string& name, const Run& run,
                                                     const EvaluationOptions& options,
                                                     RunContext& context);

}  // namespace dubito
