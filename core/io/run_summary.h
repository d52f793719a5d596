// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Computes confidences from log(1 - confidence).
[[nodiscard]] Array<double> confidenceFromLogRest(const Array<double>& log_rest);

/// Fills predictions, confidence and (if absent) entropy of a run with probs [N, K], K >= 1. The
/// prediction is the class with the largest probability (ties: the lowest), the confidence is that
/// probability as a double, and the entropy is summed in double over the sorted row. Runs without
/// probabilities are unchanged.
void fillFromProbs(Run& run, const RunContext& context);

/// Fills predictions, log_rest, confidence and entropy from the run's logits [N, K], whose softmax
/// must equal its probabilities. The values are not rounded to the type of the probabilities.
void fillFromLogits(Run& run, const RunContext& context);

}  // namespace dubito
