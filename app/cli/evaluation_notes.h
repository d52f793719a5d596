// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/metrics/evaluation.h"

namespace dubito::cli {

/// The notes of a run, then those that only its OOD runs have, each with the name of its run.
[[nodiscard]] std::vector<std::string> notesOfAll(const Run& run, std::span<const NamedRun> ood);

}  // namespace dubito::cli
