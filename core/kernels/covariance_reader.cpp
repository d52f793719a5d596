// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/covariance_reader.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <variant>

#include "core/base/overloaded.h"

namespace dubito {

CovarianceReader::CovarianceReader(const LogitGaussians& gaussians)
    : gaussians_(gaussians), classes_(static_cast<std::size_t>(gaussians.mean.extent(1))) {
  const auto* const factored = std::get_if<FactoredCovariance>(&gaussians.covariance);
  if (factored == nullptr) {
    return;
  }
  const auto columns = static_cast<std::size_t>(factored->factor.extent(1));
  const auto scales = static_cast<std::size_t>(factored->scale.extent(1));
  const float* const factor = factored->factor.data();
  squares_.assign(scales * classes_, 0.0);
  row_parts_.assign(scales * classes_, 0.0);
  total_parts_.assign(scales, 0.0);
  for (std::size_t r = 0; r < columns; ++r) {
    const std::size_t to = scales == 1 ? 0 : r;
    double column_sum = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      column_sum += double{factor[k * columns + r]};
    }
    for (std::size_t k = 0; k < classes_; ++k) {
      const double element = factor[k * columns + r];
      squares_[to * classes_ + k] += element * element;
      row_parts_[to * classes_ + k] += element * column_sum;
    }
    total_parts_[to] += column_sum * column_sum;
  }
}

void CovarianceReader::read(std::int64_t row, CovarianceSums& sums) const {
  sums.variance.assign(classes_, 0.0);
  sums.row_sum.assign(classes_, 0.0);
  sums.total = 0.0;
  std::visit(
      Overloaded{[&](const DiagonalCovariance& diagonal) { readDiagonal(diagonal, row, sums); },
                 [&](const FullCovariance& full) { readFull(full, row, sums); },
                 [&](const FactoredCovariance& factored) { readFactored(factored, row, sums); }},
      gaussians_.covariance);
}

void CovarianceReader::readDiagonal(const DiagonalCovariance& diagonal, std::int64_t row,
                                    CovarianceSums& sums) const {
  const std::span<const float> variance = diagonal.variance.row(row);
  std::copy(variance.begin(), variance.end(), sums.variance.begin());
  sums.row_sum = sums.variance;
  sums.total = std::accumulate(variance.begin(), variance.end(), 0.0);
  sums.is_diagonal = true;
}

void CovarianceReader::readFull(const FullCovariance& full, std::int64_t row,
                                CovarianceSums& sums) const {
  const std::span<const float> covariance = full.covariance.row(row);
  for (std::size_t k = 0; k < classes_; ++k) {
    const std::span<const float> line = covariance.subspan(k * classes_, classes_);
    sums.variance[k] = line[k];
    sums.row_sum[k] = std::accumulate(line.begin(), line.end(), 0.0);
    sums.total += sums.row_sum[k];
  }
  sums.rounding = 0x1p-24;
}

void CovarianceReader::readFactored(const FactoredCovariance& factored, std::int64_t row,
                                    CovarianceSums& sums) const {
  const std::span<const float> scales = factored.scale.row(row);
  for (std::size_t r = 0; r < scales.size(); ++r) {
    const double scale = scales[r];
    const double* const squares = &squares_[r * classes_];
    const double* const row_parts = &row_parts_[r * classes_];
    for (std::size_t k = 0; k < classes_; ++k) {
      sums.variance[k] += scale * squares[k];
      sums.row_sum[k] += scale * row_parts[k];
    }
    sums.total += scale * total_parts_[r];
  }
}

}  // namespace dubito
