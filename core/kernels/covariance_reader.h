// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/logit_gaussians.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {

/// Computes, in double, the sums over the covariance of one row that the Laplace bridge and the
/// probit need. The Gaussians must have passed checkedShape and must outlive the reader. Threads
/// can share a reader.
class CovarianceReader {
 public:
  explicit CovarianceReader(const LogitGaussians& gaussians);

  /// Writes the sums over the covariance of row `row` to `sums`, whose memory is reused.
  void read(std::int64_t row, CovarianceSums& sums) const;

 private:
  void readDiagonal(const DiagonalCovariance& diagonal, std::int64_t row,
                    CovarianceSums& sums) const;
  void readFull(const FullCovariance& full, std::int64_t row, CovarianceSums& sums) const;
  void readFactored(const FactoredCovariance& factored, std::int64_t row,
                    CovarianceSums& sums) const;

  const LogitGaussians& gaussians_;
  std::size_t classes_;
  // Used only for a FactoredCovariance with factor F [K, R]. If each item has a single scale, the
  // arrays are summed over the columns of F and have R = 1.
  std::vector<double> squares_;      ///< [R, K], F_kr^2
  std::vector<double> row_parts_;    ///< [R, K], F_kr (F' 1)_r
  std::vector<double> total_parts_;  ///< [R], (F' 1)_r^2
};

}  // namespace dubito
