// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "widgets/item_view_values.h"

namespace dubito {

/// Class probabilities of one item with its draws [T, K] (empty: none) and optionally logits: those
/// of the draws, else those stored in the run (or their means), else of the mean.
[[nodiscard]] ItemProbabilities itemProbabilities(const Analysis& analysis, ItemRef item,
                                                  Array<float> draws, bool with_logits);

}  // namespace dubito
