// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation_notes.h"

#include <algorithm>

#include "core/io/run.h"
#include "core/metrics/label_fit.h"

namespace dubito::cli {

std::vector<std::string> notesOfAll(const Run& run, std::span<const NamedRun> ood) {
  std::vector<std::string> notes = notesOfRun(run);
  for (const NamedRun& other : ood) {
    for (const std::string& note : other.run->meta.notes) {
      if (std::ranges::find(run.meta.notes, note) == run.meta.notes.end()) {
        notes.push_back(other.name + ": " + note);
      }
    }
  }
  return notes;
}

}  // namespace dubito::cli
