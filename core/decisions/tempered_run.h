// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/decisions/logit_table.h"
#include "core/io/run.h"

namespace dubito {

/// The labelled rows of what a temperature divides: the logits where probsAreOfLogits, else the
/// logarithms of the probabilities, which is noted. Errors of logitsOfRun.
[[nodiscard]] Expected<LogitTable> temperedLogits(const Run& run, const std::string& name);

/// The run with softmax(z / T) in place of its probabilities, z its logits or the logarithms of its
/// mean probabilities (p^(1/T), normalised; a probability of 0 counts as the smallest normal number
/// of its type): the temperature comes after whatever made the run, so that draws, Gaussians and
/// what is derived from them are not kept. T = 1 is the run as it is. kInvalidArgument for a
/// temperature that is not a number > 0 or a run without probabilities, kCancelled.
[[nodiscard]] Expected<Run> temperedRun(const Run& run, double temperature,
                                        const RunContext& context);

}  // namespace dubito
