// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/logit_gaussians.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {

/// Reads the covariance sums that the Laplace bridge and the probit need, one row at a time, in
/// double. The Gaussians must have passed checkedShape and outlive the reader; threads may share
/// it.
class CovarianceReader {
 public:
  explicit CovarianceReader(const LogitGaussians& gaussians);

  /// Writes all sums over the covariance of `row` to `sums`, reusing its memory.
  void read(std::int64_t row, CovarianceSums& sums) const;

 private:
  void readDiagonal(const DiagonalCovariance& diagonal, std::int64_t row,
                    CovarianceSums& sums) const;
  void readFull(const FullCovariance& full, std::int64_t row, CovarianceSums& sums) const;
  void readFactored(const FactoredCovariance& factored, std::int64_t row,
                    CovarianceSums& sums) const;

  const LogitGaussians& gaussians_;
  std::size_t classes_;
  // For a factor F [K, R]. If every item has a single scale, R is 1 and these are sums over
  // columns.
  std::vector<double> squares_;      ///< [R, K], F_kr^2
  std::vector<double> row_parts_;    ///< [R, K], F_kr (F' 1)_r
  std::vector<double> total_parts_;  ///< [R], (F' 1)_r^2
};

}  // namespace dubito
