// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_notes.h"

#include <map>
#include <mutex>
#include <utility>

#include "core/metrics/label_fit.h"

namespace dubito {
namespace {

/// Notes by the address of their run, which may be that of another run once `run` has expired.
struct KeptNotes {
  std::weak_ptr<const Run> run;
  NotesPtr notes;
};

std::mutex kept_mutex;
std::map<const Run*, KeptNotes>& keptNotes() {
  static std::map<const Run*, KeptNotes> notes;
  return notes;
}

NotesPtr findKept(const std::shared_ptr<const Run>& run) {
  const std::lock_guard lock(kept_mutex);
  const auto found = keptNotes().find(run.get());
  return found != keptNotes().end() && found->second.run.lock() == run ? found->second.notes
                                                                       : nullptr;
}

}  // namespace

NotesPtr keptNotesOfRun(const std::shared_ptr<const Run>& run, const RunContext& context) {
  if (NotesPtr kept = findKept(run)) {
    return kept;
  }
  // Without the lock: other runs need not wait.
  auto notes = std::make_shared<const std::vector<Note>>(notesOfRun(*run, context));
  if (context.cancelRequested()) {
    return notes;
  }
  const std::lock_guard lock(kept_mutex);
  std::erase_if(keptNotes(), [](const auto& entry) { return entry.second.run.expired(); });
  keptNotes()[run.get()] = {run, notes};
  return notes;
}

}  // namespace dubito
