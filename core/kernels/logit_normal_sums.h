// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/kernels/logit_map.h"

namespace dubito {

/// Sums over the draws of one item.
struct LogitNormalSums {
  std::span<double> probs;  ///< [K], sum of the probabilities
  double entropies = 0.0;   ///< sum of the entropies of the draws, in nats
};

/// Sums draws 0 .. samples - 1 of one item, in double; see logit_normal_mc.h. `key` must be
/// siteKey(seed, kLogitNoiseSite). If `draws` is not null, also writes the probabilities of all
/// draws [samples, K] to it.
void sumLogitNormalScalar(const LogitMap& map, std::array<std::uint32_t, 2> key,
                          std::int64_t item_id, std::int64_t samples, LogitNormalSums& sums,
                          float* draws = nullptr);

}  // namespace dubito
