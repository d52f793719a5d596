// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/base/note.h"
#include "core/base/run_context.h"
#include "core/metrics/evaluation.h"

namespace dubito::cli {

/// The notes of `run`, followed by those notes of its OOD runs that `run` does not have, prefixed
/// with the name of the OOD run.
[[nodiscard]] std::vector<Note> notesOfAll(const Run& run, std::span<const NamedRun> ood,
                                           const RunContext& context);

}  // namespace dubito::cli
