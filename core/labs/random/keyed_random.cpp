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

/// Calls write(i, first, second) with the uniform numbers i and i + 1, for i = 0, 2, ... < count.
template <class Write>
void forPairs(std::array<std::uint32_t, 2> key, std::uint64_t stream, std::uint32_t draw,
              std::size_t count, const Write& write) {
  // Each block of four words gives two numbers.
  constexpr std::size_t kBlocks = 64;
  std::array<std::uint32_t, 4 * kBlocks> words;
  const std::array tail{draw, static_cast<std::uint32_t>(stream),
                        static_cast<std::uint32_t>(stream >> 32)};
  const std::size_t blocks = (count + 1) / 2;
  for (std::size_t first = 0; first < blocks; first += kBlocks) {
    const std::size_t part = std::min(kBlocks, blocks - first);
    philoxBlocks(key, static_cast<std::uint32_t>(first), tail, static_cast<std::int64_t>(part),
                 words.data());
    for (std::size_t i = 0; i < part; ++i) {
      const std::uint32_t* const word = words.data() + 4 * i;
      write(2 * (first + i), uniformOf(word[0], word[1]), uniformOf(word[2], word[3]));
    }
  }
}

}  // namespace

KeyedRandom::KeyedRandom(std::uint64_t seed, LabSite site, std::uint64_t stream)
    : key_(siteKey(seed, kFirstSite + static_cast<std::int64_t>(site))), stream_(stream) {}

void KeyedRandom::uniforms(std::uint32_t draw, std::span<double> values) const {
  forPairs(key_, stream_, draw, values.size(), [&](std::size_t i, double first, double second) {
    values[i] = first;
    if (i + 1 < values.size()) {
      values[i + 1] = second;
    }
  });
}

void KeyedRandom::normals(std::uint32_t draw, std::span<double> values) const {
  forPairs(key_, stream_, draw, values.size(), [&](std::size_t i, double first, double second) {
    const double radius = std::sqrt(-2.0 * std::log(first));
    const double angle = 2.0 * std::numbers::pi * second;
    values[i] = radius * std::cos(angle);
    if (i + 1 < values.size()) {
      values[i + 1] = radius * std::sin(angle);
    }
  });
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

double gammaDraw(double shape, std::uint64_t seed, std::uint64_t stream, std::uint32_t draw) {
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  // More than 95 % of the proposals are accepted, so these are nearly always enough.
  std::size_t first = 0;
  for (std::size_t count = 4;; count *= 4) {
    std::vector<double> normals(count);
    std::vector<double> uniforms(count);
    KeyedRandom(seed, LabSite::kGammaProposal, stream).normals(draw, normals);
    KeyedRandom(seed, LabSite::kGammaAcceptance, stream).uniforms(draw, uniforms);
    for (std::size_t i = first; i < count; ++i) {
      const double x = normals[i];
      const double root = 1.0 + c * x;
      const double v = root * root * root;
      if (v > 0.0 && std::log(uniforms[i]) < 0.5 * x * x + d - d * v + d * std::log(v)) {
        return d * v;
      }
    }
    first = count;
  }
}

}  // namespace dubito
