// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/philox.h"

namespace dubito {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57U} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

std::array<std::uint32_t, 2> siteKey(std::uint64_t seed, std::int64_t site,
                                     std::int64_t execution) {
  const std::uint64_t number =
      static_cast<std::uint64_t>(site) + (static_cast<std::uint64_t>(execution) << 32);
  const std::uint64_t key = splitmix64(seed + 0x9E3779B97F4A7C15ULL * (number + 1));
  return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
}

}  // namespace dubito
