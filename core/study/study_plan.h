// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/study/study_inputs.h"
#include "core/study/study_spec.h"

namespace dubito {

/// A network to train, or one that exists.
struct NetworkTask {
  std::size_t network = 0;  ///< StudySpec::networks
  std::uint64_t seed = 0;
  std::string key = {};
  std::string path = {};  ///< of the TorchScript file
  bool exists = false;    ///< StudyModel: nothing to train
};

/// A run to compute: by a network, or the mean of other runs.
struct RunTask {
  std::size_t row = 0;  ///< StudySpec::rows; one of those that share the run
  std::uint64_t seed = 0;
  StudyItemsPtr set = {};
  StudyItemsPtr fit = {};                 ///< labelled items that it is fitted on; null: none
  std::size_t network_task = 0;           ///< unless it has members
  std::vector<std::size_t> members = {};  ///< StudyPlan::runs; empty: computed by the network
  std::string fit_key = {};               ///< equal for runs with the same fitted method
  std::string key = {};
  std::string path = {};
};

/// An evaluation of a row on a target with one seed.
struct EvaluationTask {
  std::size_t row = 0;
  std::size_t target = 0;
  std::size_t seed_index = 0;
  std::size_t run = 0;                ///< StudyPlan::runs
  std::vector<std::size_t> ood = {};  ///< likewise, as StudySpec::ood
  /// For automatic labelling: runs over the validation and the adaptation items.
  std::optional<std::size_t> validation = {};
  std::optional<std::size_t> adaptation = {};
  std::string path = {};             ///< of `evaluate --json`
  std::string labelling_path = {};   ///< empty: no labelling
  std::string retraining_path = {};  ///< empty: no retraining
};

/// Everything that a study computes, each result in one file whose name has a hash of all that it
/// depends on: files that exist are finished, and a change of the study names other files for just
/// the results that it affects.
struct StudyPlan {
  std::string folder;  ///< of the files: DIR/runs
  std::vector<NetworkTask> networks;
  std::vector<RunTask> runs;
  std::vector<EvaluationTask> evaluations;

  /// File names of all results.
  [[nodiscard]] std::vector<std::string> fileNames() const;
};

/// Of the context, results depend on device and number of threads.
[[nodiscard]] StudyPlan planStudy(const StudySpec& spec, const StudyInputs& inputs,
                                  const std::string& folder, const RunContext& context);

}  // namespace dubito
