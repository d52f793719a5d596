// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/run.h"

namespace dubito {

/// One item in two runs.
struct SharedRow {
  std::int64_t first = 0;   ///< its row in the first run
  std::int64_t second = 0;  ///< its row in the second run
};

/// A run and its name in messages. The run must outlive it.
struct NamedRunRef {
  const Run& run;
  std::string name;
};

/// What joinRuns requires beyond the same classes.
struct JoinRule {
  bool all_items = false;   ///< both runs have the same items
  bool same_labels = true;  ///< false: labels are what is compared
};

/// The items that occur in both runs (equal ids), in the order of the first run. The one way in
/// which runs are joined: kInvalidArgument, naming both, unless
/// - they have the same classes (sameClasses),
/// - items with equal ids have equal labels if both are known, and
/// - runs over exactly the same ids, with the same labels and preprocessing, have the same content
///   hash if both are known.
/// Ids of files of other programs are often row numbers, which are equal for different items. Takes
/// only a linear scan if both runs have the same order.
[[nodiscard]] Expected<std::vector<SharedRow>> joinRuns(const NamedRunRef& first,
                                                        const NamedRunRef& second,
                                                        const JoinRule& rule = {});

/// joinRuns for runs over the same items: for each row of the first run, that of the second; empty
/// if both have the same order.
[[nodiscard]] Expected<std::vector<std::int64_t>> rowsOfSameItems(const NamedRunRef& first,
                                                                  const NamedRunRef& second);

/// kInvalidArgument, naming both, if two runs have different numbers of classes or, apart from
/// case, spaces, dashes and underscores, different class names.
[[nodiscard]] Status sameClasses(const NamedRunRef& first, const NamedRunRef& second);

/// For each row of `shown`, whether the other run predicts a different class for the item; false if
/// it lacks the item. Errors of joinRuns.
[[nodiscard]] Expected<std::vector<bool>> disagreements(const NamedRunRef& shown,
                                                        const NamedRunRef& other);

}  // namespace dubito
