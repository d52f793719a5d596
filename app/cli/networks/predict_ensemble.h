// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/run_input.h"
#include "core/inference/fitting/method_data.h"
#include "core/inference/runs/ensemble.h"

namespace dubito::cli {

/// An ensemble as the command line names it.
struct EnsembleRequest {
  std::vector<std::string> members;  ///< models, or runs over the dataset
  RunInput input;                    ///< how members that are runs are read
  std::string dataset;
  LoadModelOptions loading;        ///< of the members that are models
  MethodOptions method_of_models;  ///< what those members that are models are predicted with
  PredictOptions options;
  std::string output;
  bool resume = false;  ///< take what an interrupted call left in OUTPUT.members
};

/// Predicts the members that are models, each into a run of its own in the folder OUTPUT.members,
/// and joins all; the folder goes when the ensemble is there.
[[nodiscard]] Expected<SavedRun> predictEnsemble(const EnsembleRequest& request,
                                                 RunContext& context);

}  // namespace dubito::cli
