// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/note_kinds.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_integer.h"
#include "core/io/earlier_notes.h"

namespace dubito {
namespace {

using nlohmann::json;

/// The note that is shown as `text`, with its parts as `entry` states them. Parts that the text
/// does not have, because it was edited, are left in place.
Note readNote(std::string text, const json& entry) {
  const NoteKind kind = noteKindOf(entry.at("kind").get<std::string>());
  if (kind == NoteKind::kOther) {  // of a later version
    return Note(std::move(text));
  }
  Note note(kind, std::move(text), entry.value("arguments", std::vector<std::string>()));
  const std::string remedy = entry.value("remedy", std::string());
  if (!remedy.empty() && note.text.ends_with("; " + remedy)) {
    note.text.resize(note.text.size() - remedy.size() - 2);
    note.remedy = remedy;
  }
  const std::string origin = entry.value("origin", std::string());
  if (!origin.empty() && note.text.starts_with(origin + ": ")) {
    note.text.erase(0, origin.size() + 2);
    note.origin = origin;
  }
  return note;
}

}  // namespace

json noteKinds(const std::vector<Note>& notes) {
  json kinds = json::array();
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const Note& note = notes[i];
    if (note.kind == NoteKind::kOther) {
      continue;
    }
    json entry{{"note", i}, {"kind", keyOf(note.kind)}};
    if (!note.origin.empty()) {
      entry["origin"] = note.origin;
    }
    if (!note.arguments.empty()) {
      entry["arguments"] = note.arguments;
    }
    if (!note.remedy.empty()) {
      entry["remedy"] = note.remedy;
    }
    kinds.push_back(std::move(entry));
  }
  return kinds;
}

std::vector<Note> notesOfTexts(const std::vector<std::string>& texts, const json* kinds) {
  std::vector<Note> notes;
  if (kinds == nullptr) {
    std::ranges::transform(texts, std::back_inserter(notes), noteOfEarlierVersion);
    return notes;
  }
  notes.assign(texts.begin(), texts.end());
  for (const json& entry : kinds->get<std::vector<json>>()) {
    const auto position = integerFrom<std::size_t>(entry.at("note"));
    notes.at(position) = readNote(texts.at(position), entry);
  }
  return notes;
}

}  // namespace dubito
