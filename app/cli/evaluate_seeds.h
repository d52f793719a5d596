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
  /// NAME=RUN,RUN,... with one OOD run per entry of `runs`, in the same order. For npy files,
  /// PROBS.npy,LABELS.npy takes the place of each RUN.
  std::vector<std::string> ood;
  EvaluationOptions options;
  std::string json;  ///< "-": standard output instead of the table
  std::string csv_folder;
};

/// Evaluates each run and reports mean and sample standard deviation of every metric, and the notes
/// of the runs, as a table or a JSON object and, if csv_folder is set, as metrics_of_seeds.csv in
/// that folder. Error if two runs have identical predictions on a dataset.
[[nodiscard]] Status evaluateSeeds(const SeedsRequest& request, RunContext& context);

}  // namespace dubito::cli
