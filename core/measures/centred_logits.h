// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/array.h"

namespace dubito {

/// Converts rows of probabilities [T, K], K >= 1, to logits with mean 0: ln p_k - mean_l ln p_l.
/// Their softmax is the original row. Probabilities are clamped from below at the smallest normal
/// float, so every logit is finite.
[[nodiscard]] Array<float> centredLogits(const Array<float>& probs);

/// Shifts rows of logits [T, K] to mean 0, which does not change their softmax. Logits of minus
/// infinity (masked classes) are kept and excluded from the mean.
[[nodiscard]] Array<float> centred(const Array<float>& logits);
[[nodiscard]] Array<float> centred(const Array<double>& logits);

}  // namespace dubito
