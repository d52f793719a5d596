// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernels/mask_key.h"

namespace dubito {

/// Arguments of keyed dropout of one batch, as raw pointers; shared by the CPU and CUDA kernels
/// (theory, section 4). Item i owns the `decisions * group_size` consecutive elements that start at
/// element i * decisions * group_size. Decision d of an item, see mask_key.h, applies to
/// `group_size` consecutive elements: a single one, or the pixels of a channel.
struct KeyedDropoutBatch {
  const float* x = nullptr;
  float* y = nullptr;  ///< may equal x
  const std::int64_t* item_ids = nullptr;
  const std::int64_t* draws = nullptr;  ///< in [0, 2^32)
  /// Output: the hash of each item's mask (see maskHashWeight); null: not computed. The CUDA kernel
  /// adds to the existing values, which must be 0.
  std::uint64_t* mask_hashes = nullptr;
  std::int64_t items = 0;
  std::int64_t decisions = 0;  ///< per item, at most 2^34
  std::int64_t group_size = 1;
  std::uint32_t key_low = 0;  ///< of siteKey(seed, site, execution)
  std::uint32_t key_high = 0;
  /// Of isKept: ceil(drop_rate 2^32).
  std::uint32_t threshold = 0;
  float scale = 1.0F;  ///< factor of kept elements, 1 / (1 - drop_rate)
  /// For alpha dropout: a kept element becomes scale x + kept_offset, a dropped one 0 x +
  /// dropped_offset.
  float kept_offset = 0.0F;
  float dropped_offset = 0.0F;
  /// Drop rates of `units` units: decision d uses element d mod `units` of `thresholds` and
  /// `scales` [units] in place of `threshold` and `scale`, and offsets are not added. 0: all
  /// decisions have the same rate.
  std::int64_t units = 0;
  const std::uint32_t* thresholds = nullptr;
  const float* scales = nullptr;
};

/// Largest drop rate whose threshold fits in 32 bits.
inline constexpr double kMaxDropRate = 1.0 - 0x1p-32;

/// Processes items [begin, end) of `batch` on the calling thread.
void keyedDropoutCpu(const KeyedDropoutBatch& batch, std::int64_t begin, std::int64_t end);

/// Weight of word j = `word_index` in the hash of a mask. The hash is the sum, modulo 2^64, of all
/// 32-bit words of the mask times their weights. Word j contains decisions 32 j .. 32 j + 31, the
/// first in the lowest bit; 1 means kept. Bits can be added in any order and grouping.
DUBITO_HOST_DEVICE inline std::uint64_t maskHashWeight(std::uint64_t word_index) {
  std::uint64_t z = (word_index + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return (z ^ (z >> 31)) | 1U;
}

}  // namespace dubito
