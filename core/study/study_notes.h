// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/study/study_folder.h"
#include "core/study/study_spec.h"

namespace dubito {

/// Caveats that follow from the study alone: members shared by ensembles, thresholds and fits on
/// the same items, small numbers of seeds.
[[nodiscard]] std::vector<std::string> studyNotes(const StudySpec& spec);

/// The notes of the runs of a study, each once with the row, targets and seeds that it is about:
/// "plain/temperature on clean, seeds 1, 2: Temperature 1, not fitted: ...".
[[nodiscard]] std::vector<Note> notesOfRuns(const StudyFolder& study);

}  // namespace dubito
