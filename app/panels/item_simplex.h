// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <optional>

#include "core/analysis/analysis.h"
#include "widgets/simplex_plot.h"

namespace dubito {

/// Classes at the corners of a triangle: left, right, top.
using CornerClasses = std::array<std::int64_t, 3>;

/// Class chosen for each corner; nullopt: the most likely class not used by another corner.
using CornerChoices = std::array<std::optional<std::int64_t>, 3>;

/// The three classes for an item, given distinct `choices`; nullopt if the run has fewer than
/// three.
[[nodiscard]] std::optional<CornerClasses> cornerClasses(const Analysis& analysis, ItemRef item,
                                                         const CornerChoices& choices);

/// Renormalised probabilities of three classes of one item.
struct ItemSimplexView {
  SimplexValue value;
  QString note;  ///< origin of the density and total probability of the three classes
};

/// `draws` [T, K] of the item; empty: none. Takes about a millisecond.
[[nodiscard]] ItemSimplexView itemSimplex(const Analysis& analysis, ItemRef item,
                                          const CornerClasses& classes, const Array<float>& draws);

}  // namespace dubito
