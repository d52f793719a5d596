// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/guessed_preprocessing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dubito {

Note guessedPreprocessingNote(const std::vector<std::string>& parts,
                              const Preprocessing& preprocessing) {
  return {NoteKind::kGuessedPreprocessing,
          fmt::format("The preprocessing is guessed ({}): {}; if the model was trained with "
                      "different values, its results are wrong",
                      fmt::join(parts, ", "), preprocessing.describe()),
          parts, "set the correct values in its metadata"};
}

std::string guessedPreprocessing(const std::vector<Note>& notes) {
  const auto guess = std::ranges::find(notes, NoteKind::kGuessedPreprocessing, &Note::kind);
  return guess == notes.end() ? std::string()
                              : fmt::format("{}", fmt::join(guess->arguments, ", "));
}

}  // namespace dubito
