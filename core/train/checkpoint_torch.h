// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/train/training_loop_torch.h"

namespace dubito {

/// An unfinished training run as stored in a file.
struct Checkpoint {
  /// Settings that must be unchanged for training to resume: options, seed, threads, device, data.
  nlohmann::json settings;
  TrainingPosition position;
  std::vector<EpochReport> epochs;  ///< finished epochs
};

/// Writes `checkpoint` and the loop's state to a temporary file, then renames it.
[[nodiscard]] Status writeCheckpoint(const Checkpoint& checkpoint, const TrainingLoop& loop,
                                     const std::string& path);

/// Restores `loop` from the file at `path` and fills all of `checkpoint` except `settings`. Errors
/// state which settings differ from those of `checkpoint`, or that the file is damaged, and the
/// remedy.
[[nodiscard]] Status readCheckpoint(const std::string& path, Checkpoint& checkpoint,
                                    TrainingLoop& loop);

}  // namespace dubito
