// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/review/formats/label_note.h"
#include "core/review/formats/label_table.h"

namespace dubito {

/// Which rows of an import belong to which items.
struct RowMatches {
  std::vector<std::optional<std::int64_t>> items;  ///< id of the item of each row, or none
  // The counts and notes are about present labels.
  std::int64_t by_id = 0;
  std::int64_t by_path = 0;
  std::int64_t by_name = 0;
  std::vector<std::string> unmatched = {};  ///< itemText() of the rows without a match
  std::vector<std::string> ambiguous = {};  ///< of the rows that fit several items
  /// Rows without a match, rows that fit several items, ids that contradict the path, and items
  /// with several present labels.
  std::vector<LabelNote> notes;
};

/// Finds the items of the rows by, in this order: the id, unless its item has another file name;
/// the path; the path of which the other is the ending ("/data/a/1.png", "a/1.png"); the file name,
/// if only one item has it. URLs count as the path in them (pathOfImageUrl()). A path without
/// a match is tried once more as plainImagePath(), and then with the ending in lower case ("1.JPG",
/// "1.jpg"). `ids` and `names` of the items have the same length, else std::invalid_argument is
/// thrown.
[[nodiscard]] RowMatches matchRows(const LabelTable& table, std::span<const std::int64_t> ids,
                                   std::span<const std::string> names);

}  // namespace dubito
