// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/right_count.h"

namespace dubito {

/// Performance of a network that learned from the labels of a review until then.
struct LearningRound {
  std::int64_t time_ms = 0;  ///< since 1970-01-01 UTC
  std::int64_t labels = 0;   ///< learned from; 0: the network as it was
  std::int64_t classes = 0;  ///< with labels
  /// Newest entry of the journal that could be learned from.
  std::int64_t sequence = 0;
  /// The network whose last layer was replaced: its file and its networkHash.
  std::string backbone = {};
  std::string backbone_hash = {};
  std::string model = {};  ///< file of the new network; empty: none was made
  /// Labels of persons that were not learned from when they were predicted.
  RightCount held_out = {};
  /// Given labels of items that were not learned from; no items: the dataset has none.
  RightCount given = {};

  friend bool operator==(const LearningRound&, const LearningRound&) = default;
};

/// The rounds of one label store, oldest first: a JSON file. No file: no rounds. kMalformed, naming
/// the file, if it is damaged; kUnsupported for one of a newer version; kReadFailed.
[[nodiscard]] Expected<std::vector<LearningRound>> readLearningRounds(const std::string& path);

/// Adds rounds to those in the file, which is replaced atomically. Errors of reading, and of
/// writing.
[[nodiscard]] Status addLearningRounds(const std::string& path,
                                       const std::vector<LearningRound>& rounds);

}  // namespace dubito
