// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/decisions/logit_table.h"
#include "core/io/run.h"

namespace dubito {

/// The labelled rows to which a temperature is applied: the logits of the run if probsAreOfLogits,
/// else, with a note, the logarithms of its probabilities. Errors of logitsOfRun.
[[nodiscard]] Expected<LogitTable> temperedLogits(const Run& run, const std::string& name);

/// The run with its probabilities replaced by softmax(z / T), where z are its logits or the
/// logarithms of its mean probabilities (p^(1/T), normalised; clamped, see clampedLog). The
/// temperature is applied last, so draws, Gaussians and everything derived from them are removed. T
/// = 1 returns the run unchanged. kInvalidArgument for a temperature that is not a finite number >
/// 0 or a run without probabilities, kCancelled.
[[nodiscard]] Expected<Run> temperedRun(const Run& run, double temperature,
                                        const RunContext& context);

}  // namespace dubito
