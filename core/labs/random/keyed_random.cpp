// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/random/keyed_random.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "core/kernels/philox.h"

namespace dubito {
namespace {

/// Keeps the keys of the laboratories apart from those of dropout sites, which count from 0.
constexpr std::int64_t kFirstSite = std::int64_t{1} << 20;

double uniformOf(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 21) | (low >> 11);
  return (static_cast<double>(bits) + 0.5) * 0x1p-53;
}

}  // namespace

KeyedRandom::KeyedRandom(std::uint64_t seed, LabSite site, std::uint64_t stream)
    : key_(siteKey(seed, kFirstSite + static_cast<std::int64_t>(site))), stream_(stream) {}

void KeyedRandom::uniforms(std::uint32_t draw, std::span<double> values) const {
  // Each block of four words gives two numbers.
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const auto words =
        philox4x32({static_cast<std::uint32_t>(i / 2), draw, static_cast<std::uint32_t>(stream_),
                    static_cast<std::uint32_t>(stream_ >> 32)},
                   key_);
    values[i] = uniformOf(words[0], words[1]);
    if (i + 1 < values.size()) {
      values[i + 1] = uniformOf(words[2], words[3]);
    }
  }
}

void KeyedRandom::normals(std::uint32_t draw, std::span<double> values) const {
  std::array<double, 2> pair{};
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const auto words =
        philox4x32({static_cast<std::uint32_t>(i / 2), draw, static_cast<std::uint32_t>(stream_),
                    static_cast<std::uint32_t>(stream_ >> 32)},
                   key_);
    pair = {uniformOf(words[0], words[1]), uniformOf(words[2], words[3])};
    const double radius = std::sqrt(-2.0 * std::log(pair[0]));
    const double angle = 2.0 * std::numbers::pi * pair[1];
    values[i] = radius * std::cos(angle);
    if (i + 1 < values.size()) {
      values[i + 1] = radius * std::sin(angle);
    }
  }
}

double KeyedRandom::uniform(std::uint32_t draw) const {
  double value = 0.0;
  uniforms(draw, {&value, 1});
  return value;
}

void KeyedRandom::permutation(std::uint32_t draw, std::span<std::int64_t> order) const {
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::vector<double> values(order.size());
  uniforms(draw, values);
  for (std::size_t i = order.size(); i-- > 1;) {
    const auto other = static_cast<std::size_t>(values[i] * static_cast<double>(i + 1));
    std::swap(order[i], order[std::min(other, i)]);
  }
}

}  // namespace dubito
