// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define DUBITO_HOST_DEVICE __host__ __device__
#else
#define DUBITO_HOST_DEVICE
#endif

namespace dubito {

// What decides the mask of an item in a draw at a site (theory, section 4): nothing but the seed,
// the site, the item's id and the number of the draw, so that batches, devices and threads do not
// change it. Decision d of the item takes word d mod 4 of the Philox block with
// - the key siteKey(seed, site, execution) in core/kernels/philox.h, which is
//   splitmix64(seed + 0x9E3779B97F4A7C15 (site + 2^32 execution + 1)), and
// - the counter maskCounter(d / 4, draw, item id).
// It keeps what it applies to if isKept(word, threshold). Numbers of other distributions
// (keyedRandom) take the same words.

/// The counter of a Philox block, first word first.
struct MaskCounter {
  std::uint32_t block;  ///< contains decisions 4 block .. 4 block + 3
  std::uint32_t draw;
  std::uint32_t item_low;
  std::uint32_t item_high;
};

/// `draw` in [0, 2^32).
[[nodiscard]] DUBITO_HOST_DEVICE inline MaskCounter maskCounter(std::uint32_t block,
                                                                std::int64_t draw,
                                                                std::int64_t item_id) {
  const auto id = static_cast<std::uint64_t>(item_id);
  return {block, static_cast<std::uint32_t>(draw), static_cast<std::uint32_t>(id),
          static_cast<std::uint32_t>(id >> 32)};
}

/// `threshold`: ceil(drop rate 2^32).
[[nodiscard]] DUBITO_HOST_DEVICE inline bool isKept(std::uint32_t word, std::uint32_t threshold) {
  return word >= threshold;
}

}  // namespace dubito
