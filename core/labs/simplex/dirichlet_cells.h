// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

// Probabilities that a Dirichlet gives to the cells of a histogram. Alphas are scaled down to a sum
// of 1e8: a narrower Dirichlet lies in one cell all the same. Tails keep their relative precision.

/// P(low < X <= high) for X ~ Beta(a, b), 0 <= low <= high <= 1.
[[nodiscard]] double betaMass(double a, double b, double low, double high);

/// Probabilities [bins] of the parts of [0, 1] between the ascending `inner_edges` [bins - 1] for
/// the marginal of class k of Dir(alpha): Beta(alpha_k, sum of the others).
[[nodiscard]] std::vector<double> marginalCells(std::span<const double> alpha, std::size_t k,
                                                std::span<const double> inner_edges);

/// Probabilities [n, 2 n], n = `resolution`, of the triangles of a SimplexHistogram under
/// Dir(alpha) over three classes: along p_0 by 16 Gauss nodes per strip, in the quantiles of its
/// marginal; along p_1 / (1 - p_0), which is independent of p_0, exactly.
[[nodiscard]] std::vector<double> triangleCells(const std::array<double, 3>& alpha,
                                                std::int64_t resolution);

}  // namespace dubito
