// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/note.h"

namespace dubito {

/// Merges the notes of several runs for a result computed from all of them. `notes[i]` are the
/// notes of the run `names[i]`. Each note is listed once; a note that some runs lack is prefixed
/// with the name of its run.
[[nodiscard]] std::vector<Note> joinedNotes(const std::vector<std::string>& names,
                                            const std::vector<std::vector<Note>>& notes);

}  // namespace dubito
