// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/plot_values.h"

namespace dubito {

/// floor(fraction * n) in exact arithmetic, where `fraction` is taken as the shortest decimal
/// number that rounds to it (0.29 of 100 is 29). Throws std::invalid_argument if the fraction is
/// outside [0, 1] or n < 0.
[[nodiscard]] std::int64_t floorOfShare(double fraction, std::int64_t n);

/// ROC curve of the items that remain after the floor(referred_share N) most uncertain items are
/// referred to an expert. `scores` [N], higher for positives; `positive` [N] is 1 for positives,
/// else 0; `uncertainty` [N], items with the highest values are referred first. If only some of the
/// items with equal uncertainty are referred, all of them remain, with equal weights below 1.
/// `summary` is the area; the curve has no points if a group is empty.
[[nodiscard]] Curve rocAfterReferral(std::span<const double> scores,
                                     std::span<const std::uint8_t> positive,
                                     std::span<const double> uncertainty, double referred_share);

}  // namespace dubito
