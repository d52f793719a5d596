// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

/// A [K, R], row-major, with A A' = covariance [K, K], and R = its numerical rank, at least 1
/// (Cholesky with pivots, of the correlations so that classes of any scale keep their digits). The
/// covariance is symmetric and positive semi-definite up to the rounding of float32: what is left
/// of a class below K 2^-23 of its variance counts as nothing.
struct SemidefiniteFactor {
  std::int64_t rank = 0;       ///< R
  std::vector<double> matrix;  ///< [K, R]
};
[[nodiscard]] SemidefiniteFactor factorSemidefinite(std::span<const float> covariance,
                                                    std::int64_t classes);

}  // namespace dubito
