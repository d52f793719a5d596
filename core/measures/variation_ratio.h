// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

/// 1 - share of the modal class among the predictions of the T draws of each item, [N], from
/// probabilities [T, N, K]: PredictiveSummary::variation_ratio without the arrays of classes next
/// to it. On the context's threads; if it is cancelled, the rest stays zero.
[[nodiscard]] Array<double> variationRatios(const Array<float>& probs, const RunContext& context);

}  // namespace dubito
