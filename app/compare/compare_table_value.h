// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/comparison.h"
#include "widgets/compare_table_value.h"

namespace dubito {

/// What CompareTable shows of the compared runs. `shown` is the run displayed on the other pages;
/// its row is marked.
[[nodiscard]] CompareTableValue compareTableValue(const std::vector<ComparedRun>& runs,
                                                  const AnalysisPtr& shown);

}  // namespace dubito
