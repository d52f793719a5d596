// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernels/cpu/aligned_memory.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito {

/// Computes the diagonals of F diag(scale_i) F' in float32, many rows at a time; every term is >=
/// 0. Threads may share it; `covariance` must outlive it.
class FactorVariance {
 public:
  /// If `centred`, uses P F instead of F, with P = I - 11'/K.
  FactorVariance(const FactoredCovariance& covariance, bool centred);

  /// Writes rows [begin, end) to variance [end - begin, K].
  void read(std::int64_t begin, std::int64_t end, float* variance) const;

 private:
  const FactoredCovariance& covariance_;
  std::int64_t classes_;
  std::int64_t stride_;         ///< K padded to whole blocks
  AlignedMemory<float> parts_;  ///< [R, stride]; a single row if every item has one scale
};

}  // namespace dubito
