// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/note.h"
#include "core/data/images/preprocessing.h"

namespace dubito {

/// The note for a model and its runs that `parts` of the preprocessing ("input size", "value
/// range") are guessed, because the metadata does not specify them.
[[nodiscard]] Note guessedPreprocessingNote(const std::vector<std::string>& parts,
                                            const Preprocessing& preprocessing);

/// The parts of the preprocessing that are guessed, according to the notes of a model (ModelAudit)
/// or of a run (RunMeta), as in "input size, value range"; empty if none. Includes the notes of
/// ensemble members.
[[nodiscard]] std::string guessedPreprocessing(const std::vector<Note>& notes);

}  // namespace dubito
