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
  std::int64_t second = 0;  ///< and in the second
};

/// The items that both runs hold (equal ids), in the order of the first. Costs no more than a walk
/// where the order is the same.
[[nodiscard]] std::vector<SharedRow> sharedRows(const Run& first, const Run& second);

/// Why two runs cannot be compared item by item although they share ids: other class names, or
/// other labels for the same item. Empty: nothing speaks against it.
[[nodiscard]] std::string conflictOf(const Run& first, const Run& second,
                                     const std::vector<SharedRow>& rows);

/// For each row of `shown` whether the other run predicts another class for the item; false if it
/// does not hold it.
[[nodiscard]] std::vector<bool> disagreements(const Run& shown, const Run& other);

}  // namespace dubito
