// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/measure.h"

namespace dubito {

/// One uncertainty value per item of a run; high is uncertain.
struct RunUncertainty {
  Array<double> values;  ///< [N]
  double top = 1.0;      ///< largest possible value
};

/// A measure of every item as an uncertainty: unchanged if a high value means uncertain, else 1
/// minus it (for the confidence at full accuracy, see logRestOf). `top` is the bound of the
/// measure, or its largest value if it is unbounded. kInvalidArgument, naming `name`, if the run
/// lacks the measure; errors of gatherScores.
[[nodiscard]] Expected<RunUncertainty> uncertaintyOf(const Run& run, const std::string& name,
                                                     Measure measure, const RunContext& context);

}  // namespace dubito
