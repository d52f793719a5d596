// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace dubito {

/// Alpha [K] of the Dirichlet whose mean is that of draws and whose variances sum up to theirs:
/// alpha_0 = sum_k m_k (1 - m_k) / sum_k v_k - 1, alpha_k = alpha_0 m_k. The precision is kept
/// within [1e-6, 1e12] (draws that are all corners, or all the same), every alpha at 1e-300 at
/// least. `mean` sums up to 1, `variance` is the population variance of each class over the draws.
/// Throws std::invalid_argument where K < 2 or the sizes differ.
[[nodiscard]] std::vector<double> momentMatchedAlpha(std::span<const double> mean,
                                                     std::span<const double> variance);

}  // namespace dubito
