// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/labels/decision.h"
#include "core/labels/label_class.h"

namespace dubito {

/// The class that each person gives each item, for cohenAgreement() and fleissAgreement().
struct Ratings {
  std::vector<std::string> annotators = {};  ///< sorted
  std::vector<std::int64_t> items = {};      ///< decided by at least one of them, ascending
  /// [annotator][item], the class after merges; two further numbers above those of all classes
  /// stand for "none of the classes" and for "ambiguous"; -1: undecided, skipped or flagged.
  std::vector<std::vector<std::int64_t>> ratings = {};

  /// Number of items with at least two ratings.
  [[nodiscard]] std::int64_t ratedTwice() const;
};

/// The newest decision of each person about each item counts, if it was not undone. Persons without
/// any rating are left out.
[[nodiscard]] Ratings ratingsOf(std::span<const RecordedDecision> journal,
                                std::span<const LabelClass> classes);

}  // namespace dubito
