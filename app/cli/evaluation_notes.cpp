// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation_notes.h"

#include <algorithm>

#include "core/io/run.h"
#include "core/metrics/label_fit.h"

namespace dubito::cli {

std::vector<Note> notesOfAll(const Run& run, std::span<const NamedRun> ood,
                             const RunContext& context) {
  std::vector<Note> notes = notesOfRun(run, context);
  for (const NamedRun& other : ood) {
    for (const Note& note : other.run->meta.notes) {
      if (std::ranges::find(run.meta.notes, note) == run.meta.notes.end()) {
        notes.push_back(takenFrom(other.name, note));
      }
    }
  }
  return notes;
}

}  // namespace dubito::cli
