// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/semidefinite_factor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dubito {

SemidefiniteFactor factorSemidefinite(std::span<const float> covariance, std::int64_t classes) {
  const auto size = static_cast<std::size_t>(classes);
  std::vector<double> deviation(size);
  for (std::size_t k = 0; k < size; ++k) {
    const double variance = covariance[k * size + k];
    deviation[k] = std::sqrt(variance < 0.0 ? 0.0 : variance);
  }
  std::vector<double> remaining(size);  // variance of each class not yet explained by the columns
  for (std::size_t k = 0; k < size; ++k) {
    remaining[k] = deviation[k] > 0.0 ? 1.0 : 0.0;
  }
  const double tolerance = static_cast<double>(size) * 0x1p-23;
  // One column after another, as rows of the transpose.
  std::vector<double> columns;
  std::size_t rank = 0;
  for (; rank < size; ++rank) {
    const auto pivot = static_cast<std::size_t>(
        std::max_element(remaining.begin(), remaining.end()) - remaining.begin());
    if (!(remaining[pivot] > tolerance)) {
      break;
    }
    const double root = std::sqrt(remaining[pivot]);
    columns.resize((rank + 1) * size, 0.0);
    double* const column = columns.data() + rank * size;
    for (std::size_t k = 0; k < size; ++k) {
      if (remaining[k] > 0.0) {
        column[k] = double{covariance[k * size + pivot]} / (deviation[k] * deviation[pivot]);
      }
    }
    for (std::size_t r = 0; r < rank; ++r) {
      const double* const earlier = columns.data() + r * size;
      const double pivot_value = earlier[pivot];
      for (std::size_t k = 0; k < size; ++k) {
        column[k] -= earlier[k] * pivot_value;
      }
    }
    for (std::size_t k = 0; k < size; ++k) {
      column[k] = remaining[k] > 0.0 ? column[k] / root : 0.0;
      remaining[k] = std::max(0.0, remaining[k] - column[k] * column[k]);
    }
    remaining[pivot] = 0.0;
  }
  SemidefiniteFactor factor;
  factor.rank = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
  columns.resize(static_cast<std::size_t>(factor.rank) * size, 0.0);
  factor.matrix.resize(columns.size());
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(factor.rank); ++r) {
      factor.matrix[k * static_cast<std::size_t>(factor.rank) + r] =
          columns[r * size + k] * deviation[k];
    }
  }
  return factor;
}

}  // namespace dubito
