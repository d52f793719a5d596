// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/note.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace dubito {
namespace {

/// In the order of NoteKind.
constexpr std::array<std::string_view, 8> kKeys = {
    "other",           "guessed_preprocessing", "label_fit",    "gauged_items",
    "unused_variance", "variances_alone",       "label_source", "label_scores"};

}  // namespace

std::string_view keyOf(NoteKind kind) {
  return kKeys[static_cast<std::size_t>(kind)];
}

NoteKind noteKindOf(std::string_view key) {
  const auto known = std::ranges::find(kKeys, key);
  return known == kKeys.end() ? NoteKind::kOther : static_cast<NoteKind>(known - kKeys.begin());
}

std::string toText(const Note& note) {
  return toText(note, note.remedy);
}

std::string toText(const Note& note, const std::string& remedy) {
  return (note.origin.empty() ? std::string() : note.origin + ": ") + note.text +
         (remedy.empty() ? std::string() : "; " + remedy);
}

std::vector<std::string> textsOf(const std::vector<Note>& notes) {
  std::vector<std::string> texts;
  texts.reserve(notes.size());
  for (const Note& note : notes) {
    texts.push_back(toText(note));
  }
  return texts;
}

Note takenFrom(const std::string& origin, Note note) {
  if (note.kind == NoteKind::kOther) {
    note.text = origin + ": " + note.text;
  } else {
    note.origin = note.origin.empty() ? origin : origin + ": " + note.origin;
  }
  return note;
}

void removeNotes(std::vector<Note>& notes, NoteKind kind) {
  std::erase_if(notes, [kind](const Note& note) { return note.kind == kind; });
}

}  // namespace dubito
