// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/metrics/measure.h"

namespace dubito {

/// The uncertainty of every item of a run; high means uncertain.
struct RunUncertainty {
  Array<double> values;  ///< [N]
  double top = 1.0;      ///< largest possible value
};

/// Converts a measure to uncertainties: its values if high means uncertain, else 1 minus its values
/// (at full accuracy for the confidence, see logRestOf). `top` is the upper bound of the measure,
/// or its largest value in the run if it is unbounded. kInvalidArgument, naming `name`, if the run
/// lacks the measure; errors of gatherScores.
[[nodiscard]] Expected<RunUncertainty> uncertaintyOf(const Run& run, const std::string& name,
                                                     Measure measure, const RunContext& context);

}  // namespace dubito
