// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/data/images/preprocessing.h"

namespace dubito {

/// The note of a model, and of every run of it, whose metadata leaves `parts` ("input size", "value
/// range") of the preprocessing open.
[[nodiscard]] std::string guessedPreprocessingNote(const std::vector<std::string>& parts,
                                                   const Preprocessing& preprocessing);

/// The parts that the notes of a model (ModelAudit) or of a run (RunMeta) say are guessed, as
/// "input size, value range"; empty: none. Notes of the members of an ensemble count.
[[nodiscard]] std::string guessedPreprocessing(std::span<const std::string> notes);

}  // namespace dubito
