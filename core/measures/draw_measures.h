// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

// Measures [N] of the draws of N items: probabilities [T, N, K], one row per draw and item. They
// run on the context's threads; after a cancel the remaining items stay zero.

/// Sum over the classes of the variance of their probability over the T draws, in [0, 1 - 1/K]: the
/// row sums of PredictiveSummary::variance without that array.
[[nodiscard]] Array<double> drawVariances(const Array<float>& probs, const RunContext& context);

/// 1 - share of the modal class among the predictions of the T draws:
/// PredictiveSummary::variation_ratio without the per-class arrays.
[[nodiscard]] Array<double> variationRatios(const Array<float>& probs, const RunContext& context);

}  // namespace dubito
