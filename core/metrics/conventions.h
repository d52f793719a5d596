// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// One metric computed by the convention of a tool or paper.
struct ConventionRow {
  std::string group;    ///< "Calibration error"
  std::string name;     ///< "15 bins [l, r), 1.0 apart, L1"
  std::string used_by;  ///< "torchmetrics 1.9, torch-uncertainty 0.13"
  std::string explanation;
  double value = 0.0;        ///< may be NaN or infinite, depending on the convention
  bool is_fraction = false;  ///< shown in per cent
};

/// The calibration errors, proper scores and areas of one run as other tools would report them,
/// over the labelled items; empty if there are none. Sums are computed in double, even if the tool
/// sums in the type of its input. kCancelled.
[[nodiscard]] Expected<std::vector<ConventionRow>> metricConventions(const Run& run,
                                                                     RunContext& context);

}  // namespace dubito
