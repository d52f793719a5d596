// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"

namespace dubito {

/// Rows of probabilities [T, K], K >= 1, as logits with mean 0: ln p_k - mean_l ln p_l, whose
/// softmax is the row again. Probabilities are clamped at the smallest normal float, so every logit
/// is finite.
[[nodiscard]] Array<float> centredLogits(const Array<float>& probs);

/// Rows of logits [T, K] shifted to mean 0; softmax(z) is unchanged. Minus infinity (a masked
/// class) stays and is left out of the mean.
[[nodiscard]] Array<float> centred(const Array<float>& logits);
[[nodiscard]] Array<float> centred(const Array<double>& logits);

}  // namespace dubito
