// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core/base/simplex_values.h"

namespace dubito {

/// ln of the density of Dir(alpha) over three classes at `probs`, which are positive and sum to 1
/// (theory, section 8), with respect to dp_0 dp_1. Computed in Loader's saddle-point form, which is
/// accurate from alpha = 1e-3 to 1e30. Throws std::invalid_argument if an alpha is not positive and
/// finite.
[[nodiscard]] double dirichletLogDensity(const std::array<double, 3>& alpha, const Triple& probs);

/// The image of Dir(alpha) with `cells` = n rows, and contour levels around 50, 90 and 99 % of the
/// probability. Three alphas of a larger Dirichlet give the distribution of these classes relative
/// to each other: p_k / (p_0 + p_1 + p_2). Levels are computed from the cells or, if these are too
/// coarse for a peak, from the Gaussian that approximates it. Costs 5 n logarithms and sorting n^2
/// / 2 numbers. Throws std::invalid_argument like dirichletLogDensity, and for `cells` outside [2,
/// 4096].
[[nodiscard]] SimplexDensity simplexDensity(const std::array<double, 3>& alpha, std::int64_t cells);

}  // namespace dubito
