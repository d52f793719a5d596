// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Fills predictions, confidence and (where it is absent) entropy of a run that has probs [N, K]
/// with K >= 1: the lowest index of the largest probability, that probability widened to double,
/// and the entropy in double over the sorted row. Leaves a run without such probs as it is.
void fillFromProbs(Run& run, const RunContext& context);

}  // namespace dubito
