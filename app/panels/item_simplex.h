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

/// What a user chose for each corner; nothing: the likeliest class that no other corner has.
using CornerChoices = std::array<std::optional<std::int64_t>, 3>;

/// The three classes that `choices`, all different, leave for an item; nothing where the run has
/// fewer than three.
[[nodiscard]] std::optional<CornerClasses> cornerClasses(const Analysis& analysis, ItemRef item,
                                                         const CornerChoices& choices);

/// The probabilities of three classes of one item among themselves.
struct ItemSimplexView {
  SimplexValue value;
  QString note;  ///< where the density comes from and what the three classes hold
};

/// `draws` [T, K] are those of the item; empty: none. About a millisecond.
[[nodiscard]] ItemSimplexView itemSimplex(const Analysis& analysis, ItemRef item,
                                          const CornerClasses& classes, const Array<float>& draws);

}  // namespace dubito
