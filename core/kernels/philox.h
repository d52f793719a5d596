// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core/base/splitmix64.h"

namespace dubito {

/// Philox-4x32-10 (Salmon et al. 2011): four random words from a counter and a key.
[[nodiscard]] std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                      std::array<std::uint32_t, 2> key);

/// Writes the four words each of the blocks with counters (first_block + i, tail...), i = 0 ..
/// blocks - 1, to words[0 .. 4 blocks). The numbers are those of philox4x32, computed with the
/// widest SIMD vectors that the CPU supports.
void philoxBlocks(std::array<std::uint32_t, 2> key, std::uint32_t first_block,
                  std::array<std::uint32_t, 3> tail, std::int64_t blocks, std::uint32_t* words);

/// The key of a dropout site: splitmix64(seed + 0x9E3779B97F4A7C15 (site + 1)) as low and high
/// word. If a site runs several times in a pass (in a loop, or between recurrent layers), execution
/// n = 0, 1, ... uses `site + 2^32 n` instead of `site`. Each execution thus has different masks,
/// and the first has the same masks as a site that runs only once.
[[nodiscard]] std::array<std::uint32_t, 2> siteKey(std::uint64_t seed, std::int64_t site,
                                                   std::int64_t execution = 0);

}  // namespace dubito
