// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dubito {

/// What a note is about. Notes are found and removed by their kind, never by their text.
enum class NoteKind {
  kOther,                 ///< a text for people, which no code looks up
  kGuessedPreprocessing,  ///< arguments: the guessed parts, as "input size"
  kLabelFit,              ///< labels and predictions do not seem to fit
  kGaugedItems,           ///< how many items have an honesty gauge
  kUnusedVariance,        ///< the link ignores the variances of the logits
  kVariancesAlone,        ///< the link was applied without the covariances
  kLabelSource,           ///< where the labels of a run of labels come from
  kLabelScores,           ///< which scores the labels of a run of labels have
};

/// The key of a kind in files, as "guessed_preprocessing".
[[nodiscard]] std::string_view keyOf(NoteKind kind);
/// The kind with this key; kOther if it is unknown.
[[nodiscard]] NoteKind noteKindOf(std::string_view key);

/// A caveat about a result or a model, in words.
struct Note {
  NoteKind kind = NoteKind::kOther;
  /// The run that the note was taken over from; empty: the run or model that has the note. Always
  /// empty for kOther, whose text begins with it.
  std::string origin;
  std::string text;                    ///< without origin and remedy
  std::vector<std::string> arguments;  ///< values in the text that code reads; see NoteKind
  /// What to do, as the command line says it. The window names its own control, by kind.
  std::string remedy;

  Note() = default;
  // Implicit, because most notes are only a text.
  Note(std::string words) : text(std::move(words)) {}
  Note(const char* words) : text(words) {}
  Note(NoteKind about, std::string words, std::vector<std::string> values = {},
       std::string what_to_do = {})
      : kind(about),
        text(std::move(words)),
        arguments(std::move(values)),
        remedy(std::move(what_to_do)) {}

  friend bool operator==(const Note&, const Note&) = default;
};

/// "ORIGIN: TEXT; REMEDY", the note as it is shown.
[[nodiscard]] std::string toText(const Note& note);
/// The same with another remedy.
[[nodiscard]] std::string toText(const Note& note, const std::string& remedy);
[[nodiscard]] std::vector<std::string> textsOf(const std::vector<Note>& notes);

/// `note` as one that was taken over from the run `origin`.
[[nodiscard]] Note takenFrom(const std::string& origin, Note note);

/// Removes all notes of a kind, including those that were taken over from other runs.
void removeNotes(std::vector<Note>& notes, NoteKind kind);

}  // namespace dubito
