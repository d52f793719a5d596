// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace dubito {

/// The percentile at `level` in [0, 1] of at least one value in ascending order, linearly
/// interpolated.
[[nodiscard]] double percentileOfSorted(std::span<const double> sorted, double level);

/// The z with P(Z <= z) = p of the standard normal distribution, 0 < p < 1.
[[nodiscard]] double normalQuantile(double p);

}  // namespace dubito
