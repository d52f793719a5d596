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
  std::vector<double> left(size);  // variance of the class that the columns so far leave
  for (std::size_t k = 0; k < size; ++k) {
    left[k] = deviation[k] > 0.0 ? 1.0 : 0.0;
  }
  const double nothing = static_cast<double>(size) * 0x1p-23;
  // Column after column, of all classes, as the rows of its transpose.
  std::vector<double> columns;
  std::size_t rank = 0;
  for (; rank < size; ++rank) {
    const auto pivot =
        static_cast<std::size_t>(std::max_element(left.begin(), left.end()) - left.begin());
    if (!(left[pivot] > nothing)) {
      break;
    }
    const double root = std::sqrt(left[pivot]);
    columns.resize((rank + 1) * size, 0.0);
    double* const column = columns.data() + rank * size;
    for (std::size_t k = 0; k < size; ++k) {
      if (left[k] > 0.0) {
        column[k] = double{covariance[k * size + pivot]} / (deviation[k] * deviation[pivot]);
      }
    }
    for (std::size_t r = 0; r < rank; ++r) {
      const double* const earlier = columns.data() + r * size;
      const double of_pivot = earlier[pivot];
      for (std::size_t k = 0; k < size; ++k) {
        column[k] -= earlier[k] * of_pivot;
      }
    }
    for (std::size_t k = 0; k < size; ++k) {
      column[k] = left[k] > 0.0 ? column[k] / root : 0.0;
      left[k] = std::max(0.0, left[k] - column[k] * column[k]);
    }
    left[pivot] = 0.0;
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
