// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/studies/active_learning/experiment_data.h"
#include "app/studies/active_learning/options.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/models/model.h"

namespace dubito::study {

/// The seed of the training, the draws and the queue of a round. The same for all acquisitions, so
/// that only their choice of items differs.
[[nodiscard]] std::uint64_t roundSeed(std::uint64_t seed, std::int64_t labels);

// The parts of a round. context.seed is roundSeed().

/// A new network, trained on the labelled items. Writes and removes the file `scratch_path`.
[[nodiscard]] Expected<ModelPtr> trainOn(const Dataset& labelled,
                                         const ActiveLearningOptions& options,
                                         const std::string& scratch_path, RunContext& context);

/// Share of the test items that are predicted correctly.
[[nodiscard]] Expected<double> accuracyOn(const Dataset& test, const Model& model,
                                          const ActiveLearningOptions& options,
                                          RunContext& context);

/// The run from which `by` chooses among the unlabelled items: MC dropout, or only the ids if the
/// queue does not depend on predictions.
[[nodiscard]] Expected<Run> runForQueue(const Dataset& unlabelled, const Model& model,
                                        const std::string& by, const ActiveLearningOptions& options,
                                        RunContext& context);

/// Ids of the first `count` items of the queue `by`, in its order. kInvalidArgument if the queue
/// cannot be built from a run alone, or is shorter.
[[nodiscard]] Expected<std::vector<std::int64_t>> acquire(const Run& run, const std::string& by,
                                                          std::int64_t count, RunContext& context);

/// kInvalidArgument for an unknown queue, and one that needs given labels, features or another run.
[[nodiscard]] Status checkAcquisition(const std::string& by);

}  // namespace dubito::study
