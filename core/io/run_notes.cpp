// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_notes.h"

#include <algorithm>

namespace dubito {
namespace {

bool holds(const std::vector<Note>& notes, const Note& note) {
  return std::ranges::find(notes, note) != notes.end();
}

}  // namespace

std::vector<Note> joinedNotes(const std::vector<std::string>& names,
                              const std::vector<std::vector<Note>>& notes) {
  std::vector<Note> joined;
  for (std::size_t run = 0; run < names.size(); ++run) {
    for (const Note& note : notes[run]) {
      const bool of_all = std::ranges::all_of(
          notes, [&note](const std::vector<Note>& others) { return holds(others, note); });
      Note one = of_all ? note : takenFrom(names[run], note);
      if (!holds(joined, one)) {
        joined.push_back(std::move(one));
      }
    }
  }
  return joined;
}

}  // namespace dubito
