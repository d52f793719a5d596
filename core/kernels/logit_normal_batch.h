// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// Arguments of the CUDA kernel that sums draws from N Gaussians (see logit_normal_mc.h), as raw
/// pointers: z = mean + diag(deviation) eps, or mean + factor' diag(stretch) eps if a factor is
/// given.
struct LogitNormalBatch {
  const float* mean = nullptr;             ///< [N, K]
  const float* deviation = nullptr;        ///< [N, K], null if a factor is given
  const float* factor = nullptr;           ///< transposed: [R, K], or [N, R, K] if factor_per_item
  const float* stretch = nullptr;          ///< [N, R], only with a factor
  const std::int64_t* item_ids = nullptr;  ///< [N]
  std::int64_t items = 0;                  ///< N
  std::int64_t classes = 0;                ///< K >= 2
  std::int64_t noise = 0;                  ///< R, which is K if no factor is given
  bool factor_per_item = false;            ///< each item has its own factor
  std::int64_t samples = 0;                ///< M in [1, 2^32]
  std::uint32_t key_low = 0;
  std::uint32_t key_high = 0;
  double* probs = nullptr;      ///< [N, K], sums over the draws
  double* entropies = nullptr;  ///< [N], sums over the draws
};

}  // namespace dubito
