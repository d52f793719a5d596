// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

/// A [K, R], row-major, with A A' = covariance [K, K], where R >= 1 is its numerical rank (pivoted
/// Cholesky of the correlations, so that precision does not depend on the scale of a class). The
/// covariance must be symmetric and positive semi-definite up to float32 rounding: a remainder
/// below K 2^-23 of a class's variance counts as 0.
struct SemidefiniteFactor {
  std::int64_t rank = 0;       ///< R
  std::vector<double> matrix;  ///< [K, R]
};
[[nodiscard]] SemidefiniteFactor factorSemidefinite(std::span<const float> covariance,
                                                    std::int64_t classes);

}  // namespace dubito
