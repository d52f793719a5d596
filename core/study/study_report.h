// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/study/study_figures.h"
#include "core/study/study_results.h"
#include "core/study/study_work.h"

namespace dubito {

/// What a report shows besides the figures.
struct StudyReportInput {
  const StudySpec& spec;
  const StudyResults& results;
  const std::vector<StudyFailure>& failures;
  const std::vector<std::string>& notes;  ///< caveats
  const std::vector<FigureGroup>& figures;
};

/// A page without references to other files.
[[nodiscard]] std::string studyHtml(const StudyReportInput& input);

}  // namespace dubito
