// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/note.h"

namespace dubito {

/// Files store notes as a list of texts, which every version reads, and in a second list what the
/// texts do not show. This is the member with the second list, next to "notes".
inline constexpr const char* kNoteKindsKey = "note_kinds";

/// One object for each note with a kind: "note" (its position) and "kind"; "origin", "arguments"
/// and "remedy" if not empty.
[[nodiscard]] nlohmann::json noteKinds(const std::vector<Note>& notes);

/// The notes with these texts. `kinds` is what noteKinds() returned; nullptr for a file of an
/// earlier version, see noteOfEarlierVersion(). Throws a std::exception if `kinds` does not fit.
[[nodiscard]] std::vector<Note> notesOfTexts(const std::vector<std::string>& texts,
                                             const nlohmann::json* kinds);

}  // namespace dubito
