// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace dubito {

/// Alpha [K] of the Dirichlet with the mean of the draws and the same sum of variances: alpha_0 =
/// sum_k m_k (1 - m_k) / sum_k v_k - 1, alpha_k = alpha_0 m_k. The precision is clamped to [1e-6,
/// 1e12] (for draws that are all corners or all the same), every alpha to at least 1e-300. `mean`
/// sums to 1, `variance` is the population variance of each class over the draws. Throws
/// std::invalid_argument if K < 2 or the sizes differ.
[[nodiscard]] std::vector<double> momentMatchedAlpha(std::span<const double> mean,
                                                     std::span<const double> variance);

}  // namespace dubito
