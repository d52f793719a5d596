// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/train/train.h"

namespace dubito {

/// options.learning_rate, or the default of the optimiser if empty.
[[nodiscard]] double initialLearningRate(const TrainOptions& options);

/// options.averaging.swa_learning_rate, or a fifth of the initial rate if empty.
[[nodiscard]] double averagingLearningRate(const TrainOptions& options);

/// The learning rate in step `step`, counted from 0 over all epochs of `batches` steps each: the
/// schedule; before averaged epochs, the schedule down to their constant rate; with snapshots, a
/// half cosine per cycle. Theory, section 15.
[[nodiscard]] double learningRateAt(const TrainOptions& options, std::int64_t step,
                                    std::int64_t batches);

}  // namespace dubito
