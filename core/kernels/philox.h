// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace dubito {

/// The bijection that turns consecutive seeds into unrelated keys (Steele, Lea, Flood 2014).
[[nodiscard]] std::uint64_t splitmix64(std::uint64_t value);

/// Philox-4x32-10 (Salmon et al. 2011): four random words from a counter and a key.
[[nodiscard]] std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                      std::array<std::uint32_t, 2> key);

/// The key of a dropout site: splitmix64(seed + 0x9E3779B97F4A7C15 (site + 1)) as low and high
/// word.
[[nodiscard]] std::array<std::uint32_t, 2> siteKey(std::uint64_t seed, std::int64_t site);

}  // namespace dubito
