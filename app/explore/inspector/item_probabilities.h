// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "widgets/item_view_values.h"

namespace dubito {

/// Mean class probabilities of one item and its draws [T, K] (empty: none). If `with_logits`, also
/// the logits: of the draws; without draws, the logits or logit means stored in the run; else those
/// computed from the mean probabilities.
[[nodiscard]] ItemProbabilities itemProbabilities(const Analysis& analysis, ItemRef item,
                                                  Array<float> draws, bool with_logits);

}  // namespace dubito
