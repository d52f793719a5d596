// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/labels/decision.h"
#include "core/labels/label_class.h"
#include "core/review/review_pace.h"

namespace dubito {

/// Of fewer items, a share says too little about a person.
inline constexpr std::int64_t kFewestSharedItems = 20;

/// Summary of a person's work in a review. Their newest decision about each item counts, if it was
/// not undone. An item is settled by a class, "none of the classes" or "ambiguous".
struct PersonSummary {
  std::string annotator;
  std::int64_t settled = 0;  ///< items
  std::int64_t skipped = 0;
  std::int64_t flagged = 0;
  ReviewPace pace = {};
  /// Items settled by them and by somebody else, and those of them where the newest decision of the
  /// others is the same.
  std::int64_t shared = 0;
  std::int64_t agreeing = 0;
  /// Items that somebody else settled after them, and those of them that were decided differently.
  std::int64_t checked = 0;
  std::int64_t overturned = 0;
};

/// One for each person with a decision, sorted by name. Classes count after merges.
[[nodiscard]] std::vector<PersonSummary> personSummaries(std::span<const RecordedDecision> journal,
                                                         std::span<const LabelClass> classes);

}  // namespace dubito
