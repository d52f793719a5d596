// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/images/preprocessing.h"

namespace dubito {

/// What the note of a guessed preprocessing asks for; the window names its button instead.
inline constexpr std::string_view kGuessedPreprocessingRemedy =
    "set the correct values in its metadata";

/// The note for a model and its runs that `parts` of the preprocessing ("input size", "value
/// range") are guessed, because the metadata does not specify them.
[[nodiscard]] std::string guessedPreprocessingNote(const std::vector<std::string>& parts,
                                                   const Preprocessing& preprocessing);

/// The parts of the preprocessing that are guessed, according to the notes of a model (ModelAudit)
/// or of a run (RunMeta), as in "input size, value range"; empty if none. Includes the notes of
/// ensemble members.
[[nodiscard]] std::string guessedPreprocessing(std::span<const std::string> notes);

}  // namespace dubito
