// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dubito {

/// Something that a user should know about an import or export, with the entries concerned.
struct LabelNote {
  std::string text;  ///< "images that were not found"
  std::int64_t count = 0;
  std::vector<std::string> entries = {};  ///< all of them, or none if they have no names
};

/// "images that were not found: 7 ('a.png', 'b.png', ...)".
[[nodiscard]] std::string toText(const LabelNote& note);

/// Appends a note about `entries` unless there are none.
void addNote(std::vector<LabelNote>& notes, std::string text, std::vector<std::string> entries);
/// Appends a note without entries unless `count` is 0.
void addNote(std::vector<LabelNote>& notes, std::string text, std::int64_t count);

}  // namespace dubito
