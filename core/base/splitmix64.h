// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// Standard splitmix64 (Steele, Lea, Flood 2014): the first output of the generator with state
/// `value`, that is, the finaliser of value + 0x9E3779B97F4A7C15. A bijection that maps consecutive
/// seeds to unrelated keys.
[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

}  // namespace dubito
