// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// One metric by the convention of some tool or paper.
struct ConventionRow {
  std::string group;    ///< "Calibration error"
  std::string name;     ///< "15 bins [l, r), 1.0 apart, L1"
  std::string used_by;  ///< "torchmetrics 1.9, torch-uncertainty 0.13"
  std::string explanation;
  double value = 0.0;        ///< NaN or infinite if the convention gives that
  bool is_fraction = false;  ///< shown in per cent
};

/// The calibration errors, proper scores and areas of one run as other tools would print them, from
/// the labelled items alone; empty if there are none. Probabilities and confidences are summed in
/// double, also where a tool sums in the type of its input. kCancelled.
[[nodiscard]] Expected<std::vector<ConventionRow>> metricConventions(const Run& run,
                                                                     RunContext& context);

}  // namespace dubito
