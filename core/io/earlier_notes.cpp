// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/earlier_notes.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace dubito {
namespace {

/// What earlier versions wrote. These texts stay the same if the notes of today change.
struct EarlierPhrase {
  NoteKind kind;
  std::string_view part;   ///< identifies the note
  std::string_view start;  ///< its first words; empty: `part` is
};

constexpr std::string_view kGuessed = "The preprocessing is guessed (";
constexpr std::string_view kGuessedRemedy = "; set the correct values in its metadata";

constexpr EarlierPhrase kPhrases[] = {
    {NoteKind::kGuessedPreprocessing, kGuessed, {}},
    {NoteKind::kLabelFit, "The labels or the preprocessing do not seem to fit: ", {}},
    {NoteKind::kGaugedItems, "The honesty gauge holds ", {}},
    {NoteKind::kUnusedVariance, " does not use the variance of the logits: ", "The link "},
    {NoteKind::kVariancesAlone, " was applied to the variances of the logits alone: ", "The link "},
    {NoteKind::kLabelSource, ", not from a network", "the labels and suggestions come from "},
    {NoteKind::kLabelScores, "Scores of the labels: ", {}},
};

/// Moves the name of a run before position `start` of the text to the origin: "RUN: TEXT".
void splitOrigin(std::size_t start, Note& note) {
  constexpr std::string_view kSeparator = ": ";
  if (start == std::string::npos || start < kSeparator.size() ||
      note.text.compare(start - kSeparator.size(), kSeparator.size(), kSeparator) != 0) {
    return;
  }
  note.origin = note.text.substr(0, start - kSeparator.size());
  note.text.erase(0, start);
}

/// The guessed parts, "(input size, value range)", and the remedy at the end.
void readGuess(Note& note) {
  const std::size_t begin = note.text.find(kGuessed) + kGuessed.size();
  const std::string parts = note.text.substr(begin, note.text.find(')', begin) - begin);
  for (std::size_t at = 0; at <= parts.size();) {
    const std::size_t end = std::min(parts.find(", ", at), parts.size());
    note.arguments.push_back(parts.substr(at, end - at));
    at = end + 2;
  }
  if (note.text.ends_with(kGuessedRemedy)) {
    note.text.resize(note.text.size() - kGuessedRemedy.size());
    note.remedy = kGuessedRemedy.substr(2);
  }
}

}  // namespace

Note noteOfEarlierVersion(std::string text) {
  Note note(std::move(text));
  for (const EarlierPhrase& phrase : kPhrases) {
    const std::size_t found = note.text.find(phrase.part);
    if (found == std::string::npos) {
      continue;
    }
    const bool is_guess = phrase.kind == NoteKind::kGuessedPreprocessing;
    if (is_guess && note.text.find(')', found) == std::string::npos) {
      continue;
    }
    note.kind = phrase.kind;
    splitOrigin(phrase.start.empty() ? found : note.text.rfind(phrase.start, found), note);
    if (is_guess) {
      readGuess(note);
    }
    break;
  }
  return note;
}

}  // namespace dubito
