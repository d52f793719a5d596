// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"

namespace dubito {

/// Rows of probabilities [T, K] as logits with mean 0: ln p_k - mean_l ln p_l, the zero-sum gauge
/// in which softmax gives the row back. Probabilities below the smallest normal float count as
/// that, so every logit is finite. Rank 2, K >= 1.
[[nodiscard]] Array<float> centredLogits(const Array<float>& probs);

/// Rows of logits [T, K] shifted to mean 0, which leaves softmax(z) as it was. Minus infinity, of
/// masked classes, stays and does not count.
[[nodiscard]] Array<float> centred(const Array<float>& logits);
[[nodiscard]] Array<float> centred(const Array<double>& logits);

}  // namespace dubito
