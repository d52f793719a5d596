// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/run_input.h"
#include "core/methods/ensemble/ensemble.h"
#include "core/methods/method_data.h"

namespace dubito::cli {

/// An ensemble as given on the command line.
struct EnsembleRequest {
  std::vector<std::string> members;  ///< paths of models, or of runs on the dataset
  RunInput input;                    ///< for members that are runs
  std::string dataset;
  LoadModelOptions loading;        ///< for members that are models
  MethodOptions method_of_models;  ///< method for members that are models
  PredictOptions options;
  std::string output;
  bool resume = false;  ///< reuse the runs that an interrupted call saved in OUTPUT.members
};

/// Runs each member that is a model, saving a separate run in the folder OUTPUT.members, and
/// combines all members; the folder is removed once the ensemble is written.
[[nodiscard]] Expected<SavedRun> predictEnsemble(const EnsembleRequest& request,
                                                 RunContext& context);

}  // namespace dubito::cli
