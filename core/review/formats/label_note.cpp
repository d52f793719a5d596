// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/label_note.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "core/base/in_quotes.h"

namespace dubito {

std::string toText(const LabelNote& note) {
  constexpr std::size_t kNamed = 5;
  std::string text = fmt::format("{}: {}", note.text, note.count);
  if (note.entries.empty()) {
    return text;
  }
  std::vector<std::string> named;
  for (std::size_t i = 0; i < note.entries.size() && i < kNamed; ++i) {
    named.push_back(inQuotes(note.entries[i]));
  }
  return fmt::format("{} ({}{})", text, fmt::join(named, ", "),
                     note.entries.size() > kNamed ? ", ..." : "");
}

void addNote(std::vector<LabelNote>& notes, std::string text, std::vector<std::string> entries) {
  if (!entries.empty()) {
    const auto count = static_cast<std::int64_t>(entries.size());
    notes.push_back({std::move(text), count, std::move(entries)});
  }
}

void addNote(std::vector<LabelNote>& notes, std::string text, std::int64_t count) {
  if (count > 0) {
    notes.push_back({std::move(text), count});
  }
}

}  // namespace dubito
