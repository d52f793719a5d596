// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/study/study_folder.h"

namespace dubito {

/// Whether a rule labels anything and fewer labels are right than guaranteed.
[[nodiscard]] bool isBroken(const StudyLabelling& labelling);

/// The labelling of a rule at a guarantee on one target: means over the rows with results.
struct MeanLabelling {
  std::int64_t rows = 0;  ///< that label anything
  double share = 0.0;     ///< of the target that these label; NaN without rows
  double kept = 0.0;      ///< share of right labels among theirs; NaN without rows
};
[[nodiscard]] MeanLabelling meanLabelling(const StudyFolder& study, std::size_t target,
                                          LabellingRule rule, double guaranteed);

/// Findings of a study, in sentences: the accuracy of the baseline on the easiest and on the
/// hardest target, and per guarantee of automatic labelling what is kept of it.
[[nodiscard]] std::vector<std::string> studyHeadline(const StudyFolder& study);

}  // namespace dubito
