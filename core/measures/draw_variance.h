// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

/// Sum over the classes of the variance of their probability over the T draws, [N], in
/// [0, 1 - 1/K], from probabilities [T, N, K]: the row sums of PredictiveSummary::variance without
/// the array itself. On the context's threads; if it is cancelled, the rest stays zero.
[[nodiscard]] Array<double> drawVariances(const Array<float>& probs, const RunContext& context);

}  // namespace dubito
