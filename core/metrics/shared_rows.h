// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/run.h"

namespace dubito {

/// One item in two runs.
struct SharedRow {
  std::int64_t first = 0;   ///< its row in the first run
  std::int64_t second = 0;  ///< its row in the second run
};

/// The items that occur in both runs (equal ids), in the order of the first run. Takes only a
/// linear scan if both runs have the same order.
[[nodiscard]] std::vector<SharedRow> sharedRows(const Run& first, const Run& second);

/// The reason why two runs cannot be compared item by item although they share ids: different class
/// names, or different labels for the same item. Empty if they can be compared. `rows` are
/// sharedRows(first, second).
[[nodiscard]] std::string conflictOf(const Run& first, const Run& second,
                                     const std::vector<SharedRow>& rows);

/// For each row of `shown`, whether the other run predicts a different class for the item; false if
/// it lacks the item.
[[nodiscard]] std::vector<bool> disagreements(const Run& shown, const Run& other);

}  // namespace dubito
