// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/comparison.h"
#include "widgets/compare_table.h"

namespace dubito {

/// What CompareTable shows of the compared runs. `shown` is the run displayed on the other pages;
/// its row is marked.
[[nodiscard]] CompareTableValue compareTableValue(const std::vector<ComparedRun>& runs,
                                                  const AnalysisPtr& shown);

/// The dash pattern of the row and the curves of run `run`. Hues repeat before dash patterns do.
[[nodiscard]] int dashOfRun(std::size_t run);

}  // namespace dubito
