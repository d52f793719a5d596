// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernels/cpu/aligned_memory.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito {

/// Computes the diagonals of F diag(scale_i) F' in float32 for many rows at a time. All terms are
/// >= 0, so nothing cancels. Threads can share an object; `covariance` must outlive it.
class FactorVariance {
 public:
  /// Uses P F with P = I - 11'/K instead of F if `centred`.
  FactorVariance(const FactoredCovariance& covariance, bool centred);

  /// Writes the diagonals of rows [begin, end) to variance [end - begin, K].
  void read(std::int64_t begin, std::int64_t end, float* variance) const;

 private:
  const FactoredCovariance& covariance_;
  std::int64_t classes_;
  std::int64_t stride_;  ///< K rounded up to a multiple of kScaledSumsBlock
  /// F_kr^2 [R, stride]; a single row, summed over r, if each item has a single scale.
  AlignedMemory<float> parts_;
};

}  // namespace dubito
