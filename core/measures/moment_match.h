// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace dubito {

/// Alpha [K] of the Dirichlet whose mean and sum of variances over the classes equal those of the
/// draws: alpha_0 = sum_k m_k (1 - m_k) / sum_k v_k - 1, alpha_k = alpha_0 m_k. The precision is
/// clamped to [1e-6, 1e12] (reached if all draws are one-hot, or all are equal), every alpha to at
/// least 1e-300. `mean` sums to 1, `variance` is the population variance of each class over the
/// draws. Throws std::invalid_argument if K < 2 or the sizes differ.
[[nodiscard]] std::vector<double> momentMatchedAlpha(std::span<const double> mean,
                                                     std::span<const double> variance);

}  // namespace dubito
