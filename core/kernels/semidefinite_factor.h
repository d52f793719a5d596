// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

/// A factor A [K, R] of a covariance [K, K], row-major: A A' = covariance, where R >= 1 is the
/// numerical rank of the covariance.
struct SemidefiniteFactor {
  std::int64_t rank = 0;       ///< R
  std::vector<double> matrix;  ///< [K, R]
};
/// Factorises `covariance` [K, K], K = `classes`, by a pivoted Cholesky decomposition of the
/// correlations, so that the precision does not depend on the scale of a class. The covariance must
/// be symmetric and positive semi-definite up to float32 rounding: a remainder below K 2^-23 times
/// the variance of a class counts as 0.
[[nodiscard]] SemidefiniteFactor factorSemidefinite(std::span<const float> covariance,
                                                    std::int64_t classes);

}  // namespace dubito
