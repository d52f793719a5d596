// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace dubito {

/// How the items of a batch are mixed in pairs (Zhang et al. 2018): item i becomes share * item i +
/// (1 - share) * item partners[i].
struct Mixup {
  double share = 1.0;
  std::vector<std::int64_t> partners;  ///< a permutation of the items of the batch
};

/// The share is drawn from Beta(a, a), a > 0. Depends only on (seed, epoch, batch, a, count);
/// `batch` is the batch's number in the epoch.
[[nodiscard]] Mixup randomMixup(std::uint64_t seed, std::int64_t epoch, std::int64_t batch,
                                double a, std::int64_t count);

}  // namespace dubito
