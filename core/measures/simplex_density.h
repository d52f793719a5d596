// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/simplex_values.h"

namespace dubito {

/// ln of the density of Dir(alpha) over three classes at `probs`, with respect to dp_0 dp_1
/// (theory, section 8). `probs` must be positive and sum to 1. Computed in Loader's saddle-point
/// form, which is accurate from alpha = 1e-3 to 1e30. Throws std::invalid_argument if an alpha is
/// not positive and finite.
[[nodiscard]] double dirichletLogDensity(const std::array<double, 3>& alpha, const Triple& probs);

/// The contour levels that enclose 50, 90 and 99 % of a density with the values exp(offset) times
/// `scaled` in all cells of an image of cells x cells (see SimplexDensity) that lie inside the
/// triangle. Probability that the cells miss is taken to lie in denser regions. If the cells are
/// too coarse (their sum is off by 2 % or more) and `log_peak` is given, the levels are those of a
/// Gaussian peak with that logarithm of the density. Empty if the density is uniform.
[[nodiscard]] std::vector<DensityLevel> contourLevels(std::vector<double> scaled, double offset,
                                                      std::int64_t cells,
                                                      std::optional<double> log_peak);

/// The density of Dir(alpha) as an image of n x n cells, n = `cells`, with the contour levels that
/// enclose 50, 90 and 99 % of the probability. For three alphas of a Dirichlet over more classes,
/// this is the density of p_k / (p_0 + p_1 + p_2). Levels are computed from the cells or, if the
/// cells are too coarse for a narrow peak, from the Gaussian that approximates the peak. Costs 5 n
/// logarithms and sorting n^2 / 2 numbers. Throws std::invalid_argument like dirichletLogDensity,
/// and for `cells` outside [2, 4096].
[[nodiscard]] SimplexDensity simplexDensity(const std::array<double, 3>& alpha, std::int64_t cells);

}  // namespace dubito
