// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/kernels/philox.h"

namespace dubito {

/// Random number generator of one item. The sequence is a function of only the seed and the item,
/// and is identical on every machine, unlike the distributions of the standard library.
class ItemRandom {
 public:
  ItemRandom(std::uint64_t seed, std::int64_t item)
      : key_(siteKey(seed, 0)), item_(static_cast<std::uint64_t>(item)) {}

  /// Uniform in (0, 1), with 52 random bits.
  double uniform() {
    const std::uint64_t word =
        (std::uint64_t{words_[next_ % 4]} << 32) | std::uint64_t{words_[next_ % 4 + 1]};
    next_ += 2;
    if (next_ % 4 == 0) {
      words_ = block(next_ / 4);
    }
    return (static_cast<double>(word >> 12) + 0.5) * 0x1.0p-52;
  }

  /// Two independent standard normal numbers (Box-Muller transform).
  std::array<double, 2> normalPair() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }

 private:
  [[nodiscard]] std::array<std::uint32_t, 4> block(std::uint32_t number) const {
    return philox4x32(
        {number, 0, static_cast<std::uint32_t>(item_), static_cast<std::uint32_t>(item_ >> 32)},
        key_);
  }

  std::array<std::uint32_t, 2> key_;
  std::uint64_t item_;
  std::array<std::uint32_t, 4> words_ = block(0);
  std::uint32_t next_ = 0;
};

}  // namespace dubito
