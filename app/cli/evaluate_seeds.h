// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/run_input.h"
#include "core/metrics/evaluation.h"

namespace dubito::cli {

/// Runs that differ only in their seed.
struct SeedsRequest {
  std::vector<std::string> runs;  ///< two or more
  RunInput input;
  /// NAME=RUN,RUN,...: one for each of `runs`, in the same order, or PROBS.npy,LABELS.npy for each.
  std::vector<std::string> ood;
  EvaluationOptions options;
  std::string json;  ///< "-": standard output instead of the table
  std::string csv_folder;
};

/// Evaluates each run and reports mean and sample standard deviation of every metric, and the runs'
/// notes: as a table or a JSON object, and as metrics_of_seeds.csv in the folder. Runs with
/// identical predictions on a dataset are an error.
[[nodiscard]] Status evaluateSeeds(const SeedsRequest& request, RunContext& context);

}  // namespace dubito::cli
