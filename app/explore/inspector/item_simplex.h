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

/// The class chosen for each corner; nullopt selects the most likely class not used by another
/// corner.
using CornerChoices = std::array<std::optional<std::int64_t>, 3>;

/// The classes at the corners for an item. `choices` must be distinct. nullopt if the run has fewer
/// than three classes.
[[nodiscard]] std::optional<CornerClasses> cornerClasses(const Analysis& analysis, ItemRef item,
                                                         const CornerChoices& choices);

/// The probabilities of three classes of one item, renormalised to a sum of 1.
struct ItemSimplexView {
  SimplexValue value;
  /// Source of the density, and total probability of the classes before renormalising.
  QString note;
};

/// `draws` [T, K] are those of the item; empty if there are none. Takes about a millisecond.
[[nodiscard]] ItemSimplexView itemSimplex(const Analysis& analysis, ItemRef item,
                                          const CornerClasses& classes, const Array<float>& draws);

}  // namespace dubito
