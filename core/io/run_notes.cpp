// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_notes.h"

#include <fmt/format.h>

#include <algorithm>

namespace dubito {
namespace {

bool holds(const std::vector<std::string>& notes, const std::string& note) {
  return std::ranges::find(notes, note) != notes.end();
}

}  // namespace

std::vector<std::string> joinedNotes(const std::vector<std::string>& names,
                                     const std::vector<std::vector<std::string>>& notes) {
  std::vector<std::string> joined;
  for (std::size_t run = 0; run < names.size(); ++run) {
    for (const std::string& note : notes[run]) {
      const bool of_all = std::ranges::all_of(
          notes, [&note](const std::vector<std::string>& others) { return holds(others, note); });
      std::string text = of_all ? note : fmt::format("{}: {}", names[run], note);
      if (!holds(joined, text)) {
        joined.push_back(std::move(text));
      }
    }
  }
  return joined;
}

}  // namespace dubito
