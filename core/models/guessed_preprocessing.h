// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/data/images/preprocessing.h"

namespace dubito {

/// The note of a model and its runs if the metadata does not specify `parts` ("input size", "value
/// range") of the preprocessing.
[[nodiscard]] std::string guessedPreprocessingNote(const std::vector<std::string>& parts,
                                                   const Preprocessing& preprocessing);

/// The parts that are guessed according to the notes of a model (ModelAudit) or of a run (RunMeta),
/// as in "input size, value range"; empty if none. Includes notes of ensemble members.
[[nodiscard]] std::string guessedPreprocessing(std::span<const std::string> notes);

}  // namespace dubito
