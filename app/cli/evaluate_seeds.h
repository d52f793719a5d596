// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/run_input.h"
#include "core/metrics/evaluation.h"

namespace dubito::cli {

/// Repetitions of one run with other seeds.
struct SeedsRequest {
  std::vector<std::string> runs;  ///< two or more
  RunInput input;
  /// NAME=RUN,RUN,...: one for each of `runs`, in their order, or PROBS.npy,LABELS.npy for each.
  std::vector<std::string> ood;
  EvaluationOptions options;
  std::string json;  ///< "-": standard output in place of the table
  std::string csv_folder;
};

/// Evaluates each run and reports every metric as mean and sample standard deviation: a table, a
/// JSON object, and metrics_of_seeds.csv in the folder; with the runs' notes. Runs over the same
/// set that predict the same are refused.
[[nodiscard]] Status evaluateSeeds(const SeedsRequest& request, RunContext& context);

}  // namespace dubito::cli
