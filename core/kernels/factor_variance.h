// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernels/cpu/aligned_memory.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito {

/// Diagonals of F diag(scale_i) F', in float32 and many rows at a time: sums of terms >= 0. Threads
/// may share it; `covariance` outlives it.
class FactorVariance {
 public:
  /// `centred`: of P F instead of F, P = I - 11'/K.
  FactorVariance(const FactoredCovariance& covariance, bool centred);

  /// Rows [begin, end) to variance [end - begin, K].
  void read(std::int64_t begin, std::int64_t end, float* variance) const;

 private:
  const FactoredCovariance& covariance_;
  std::int64_t classes_;
  std::int64_t stride_;         ///< K as padded in parts_
  AlignedMemory<float> parts_;  ///< [R, stride]; one row where every item has one scale
};

}  // namespace dubito
