// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Confidences from log(1 - confidence).
[[nodiscard]] Array<double> confidenceFromLogRest(const Array<double>& log_rest);

/// Fills predictions, confidence and (if absent) entropy of a run with probs [N, K], K >= 1: the
/// lowest index of the largest probability, that probability widened to double, and the entropy in
/// double over the sorted row. Other runs stay unchanged.
void fillFromProbs(Run& run, const RunContext& context);

/// Fills predictions, log_rest, confidence and entropy from the run's logits [N, K], of which its
/// probabilities are the softmax: without rounding to the type of the probabilities.
void fillFromLogits(Run& run, const RunContext& context);

}  // namespace dubito
