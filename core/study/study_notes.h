// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/study/study_spec.h"

namespace dubito {

/// Caveats that follow from the study alone: members shared by ensembles, thresholds and fits on
/// the same items, small numbers of seeds.
[[nodiscard]] std::vector<std::string> studyNotes(const StudySpec& spec);

}  // namespace dubito
