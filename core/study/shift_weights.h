// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// How much more often inputs like those of an item occur in the target than in the source.
struct ShiftWeights {
  std::vector<double> source;  ///< per item of the source run
  std::vector<double> target;  ///< per item of the target run
};

/// Density ratios by a logistic regression that separates the two runs (theory, section 11). Its
/// features are the log probabilities of the method, less their mean and divided by their standard
/// deviation over both runs. No labels are used. kInvalidArgument if a run has no probabilities or
/// another number of classes; kCancelled.
[[nodiscard]] Expected<ShiftWeights> shiftWeights(const Run& source, const Run& target,
                                                  RunContext& context);

}  // namespace dubito
