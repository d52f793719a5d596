// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/measure.h"

namespace dubito {

/// One uncertainty of every item of a run; high is uncertain.
struct RunUncertainty {
  Array<double> values;  ///< [N]
  double top = 1.0;      ///< the largest value that it can have
};

/// A measure of every item as an uncertainty: as it is if a high value means uncertain, else 1
/// minus it; of the confidence with all its digits (logRestOf). `top` is the bound of the measure,
/// or its largest value where it has none. kInvalidArgument, naming `name`, where the run does not
/// have it; errors of gatherScores.
[[nodiscard]] Expected<RunUncertainty> uncertaintyOf(const Run& run, const std::string& name,
                                                     Measure measure, const RunContext& context);

}  // namespace dubito
