// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/base/note.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

using NotesPtr = std::shared_ptr<const std::vector<Note>>;

/// notesOfRun(*run, context), kept for as long as the run lives; `run` must not be null, and the
/// run must not change. The first call reads all items; analyse() makes it, so that the window,
/// which shows the notes whenever its list of runs changes, does not. May be called on any thread.
[[nodiscard]] NotesPtr keptNotesOfRun(const std::shared_ptr<const Run>& run,
                                      const RunContext& context = RunContext());

}  // namespace dubito
