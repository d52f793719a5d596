// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/train/train.h"
#include "core/train/training_set_torch.h"

namespace dubito {

/// Errors of options, role and device that are known before anything is read.
[[nodiscard]] Status checkTraining(const Dataset& dataset, const TrainOptions& options,
                                   const RunContext& context);

/// As train(), on a set that was read before; checkTraining() has succeeded.
[[nodiscard]] Expected<TrainReport> trainOn(const TrainingSet& set, const Dataset& dataset,
                                            const TrainOptions& options,
                                            const std::string& output_path, RunContext& context,
                                            const TrainEvents& events);

/// Whether all files that trainOn() would write are there, as a finished call with the same set,
/// options, seed, threads and device wrote them.
[[nodiscard]] bool isTrained(const TrainingSet& set, const Dataset& dataset,
                             const TrainOptions& options, const std::string& output_path,
                             const RunContext& context);

}  // namespace dubito
