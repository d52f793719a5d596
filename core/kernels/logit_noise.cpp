// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/logit_noise.h"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/kernels/philox.h"

namespace dubito {
namespace {

double uniformOf(std::uint32_t word) {
  return (static_cast<double>(word >> 9) + 0.5) * 0x1p-23;
}

}  // namespace

void logitNoise(std::array<std::uint32_t, 2> key, std::int64_t item_id, std::uint32_t pair,
                std::span<double> noise) {
  const auto id = static_cast<std::uint64_t>(item_id);
  std::array<std::uint32_t, 4> words{};
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (i % 4 == 0) {
      words = philox4x32({static_cast<std::uint32_t>(i / 4), pair, static_cast<std::uint32_t>(id),
                          static_cast<std::uint32_t>(id >> 32)},
                         key);
    }
    const std::size_t first = i % 4 / 2 * 2;
    const double radius = std::sqrt(-2.0 * std::log(uniformOf(words[first])));
    const double angle = 2.0 * std::numbers::pi * uniformOf(words[first + 1]);
    noise[i] = radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
  }
}

}  // namespace dubito
