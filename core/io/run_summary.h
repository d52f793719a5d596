// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Confidences of which the rest is known by its logarithm.
[[nodiscard]] Array<double> confidenceFromLogRest(const Array<double>& log_rest);

/// Fills predictions, confidence and (where it is absent) entropy of a run that has probs [N, K]
/// with K >= 1: the lowest index of the largest probability, that probability widened to double,
/// and the entropy in double over the sorted row. Leaves a run without such probs as it is.
void fillFromProbs(Run& run, const RunContext& context);

/// Fills predictions, log_rest, confidence and entropy from the run's logits [N, K], whose softmax
/// its probabilities are: nothing of them is rounded to the type of the probabilities.
void fillFromLogits(Run& run, const RunContext& context);

}  // namespace dubito
