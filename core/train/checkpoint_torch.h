// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/train/training_loop_torch.h"

namespace dubito {

/// An unfinished training as its file holds it.
struct Checkpoint {
  /// What must be the same for the training to go on: options, seed, threads, device, data.
  nlohmann::json settings;
  TrainingPosition position;
  std::vector<EpochReport> epochs;  ///< the finished ones
};

/// Writes `checkpoint` and the loop's state; beside, then renamed.
[[nodiscard]] Status writeCheckpoint(const Checkpoint& checkpoint, const TrainingLoop& loop,
                                     const std::string& path);

/// Puts `loop` where the file at `path` left off and fills all but the settings of `checkpoint`.
/// Errors name the settings that differ from those of `checkpoint`, or say that the file is
/// damaged, and the remedy.
[[nodiscard]] Status readCheckpoint(const std::string& path, Checkpoint& checkpoint,
                                    TrainingLoop& loop);

}  // namespace dubito
