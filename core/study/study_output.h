// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/study/study_folder.h"
#include "core/study/study_plan.h"

namespace dubito {

/// Draws the figures of a study and writes its tables, figures and report into StudyFolder::path.
/// Figures and report.pdf of an earlier version are removed. Returns the paths of the files. Errors
/// of seedFigures; kWriteFailed; kCancelled.
[[nodiscard]] Expected<std::vector<std::string>> writeStudyFolder(const StudySpec& spec,
                                                                  const StudyPlan& plan,
                                                                  StudyFolder study,
                                                                  RunContext& context);

}  // namespace dubito
