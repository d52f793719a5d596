// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// One uncertainty of every item of a run; high is uncertain.
struct RunUncertainty {
  Array<double> values;  ///< [N]
  double top = 1.0;      ///< the largest value that it can have
};

/// "entropy" or "mutual_information" in nats (top: log K), or "confidence", which stands for 1 -
/// confidence (top: 1), with all its digits (logRestOf). kInvalidArgument, naming `name`, where the
/// run does not have it; errors of gatherScores.
[[nodiscard]] Expected<RunUncertainty> uncertaintyOf(const Run& run, const std::string& name,
                                                     const std::string& measure,
                                                     const RunContext& context);

}  // namespace dubito
