// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/plot_values.h"

namespace dubito {

/// floor(fraction * n) in exact arithmetic, the fraction read as the shortest decimal that prints
/// it (0.29 of 100 is 29). Throws std::invalid_argument for a fraction outside [0, 1] and n < 0.
[[nodiscard]] std::int64_t floorOfShare(double fraction, std::int64_t n);

/// ROC of the items that remain after the floor(referred_share N) most uncertain ones are referred
/// to an expert. `scores` [N], higher for positives; `uncertainty` [N], higher is referred first;
/// items tied at the cut all stay, with equal weight. `summary` is the area; no points if a group
/// is empty.
[[nodiscard]] Curve rocAfterReferral(std::span<const double> scores,
                                     std::span<const std::uint8_t> positive,
                                     std::span<const double> uncertainty, double referred_share);

}  // namespace dubito
