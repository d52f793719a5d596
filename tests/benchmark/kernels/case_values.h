// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "tests/benchmark/kernels/device_memory.h"
#include "tests/benchmark/kernels/fill_cuda.h"

namespace dubito::benchmarks {

/// How invented inputs are spread.
struct Spread {
  float offset = 0.0F;
  float scale = 1.0F;
  std::uint64_t seed = 0;
};

inline OnDevice<float> inventedOnDevice(std::int64_t size, const Spread& spread) {
  OnDevice<float> values(size);
  require(fillInvented(values.data(), size, spread.offset, spread.scale, spread.seed), "fill");
  return values;
}

inline void inventOnHost(std::span<float> values, const Spread& spread, const RunContext& context) {
  constexpr std::int64_t kValuesPerTask = 1 << 20;
  context.parallelFor(
      std::ssize(values), kValuesPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          values[static_cast<std::size_t>(i)] =
              spread.offset +
              spread.scale * inventedValue(static_cast<std::uint64_t>(i), spread.seed);
        }
      });
}

inline std::vector<float> inventedOnHost(std::int64_t size, const Spread& spread,
                                         const RunContext& context) {
  std::vector<float> values(static_cast<std::size_t>(size));
  inventOnHost(values, spread, context);
  return values;
}

/// Item ids beyond 32 bits, as files have them.
inline std::vector<std::int64_t> inventedIds(std::int64_t items) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(items));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<std::int64_t>(i) * 4294967301LL + 7;
  }
  return ids;
}

/// Adds the bytes of `values` to a hash: eight FNV hashes of every eighth word, so that none waits
/// for the multiplication of another.
template <class T>
std::uint64_t addToHash(std::uint64_t hash, const std::vector<T>& values) {
  constexpr std::size_t kLanes = 8;
  constexpr std::uint64_t kPrime = 0x100000001B3ULL;
  const auto* const words = reinterpret_cast<const std::uint32_t*>(values.data());
  const std::size_t size = values.size() * sizeof(T) / sizeof(std::uint32_t);
  std::array<std::uint64_t, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = (lanes[lane] ^ words[i + lane]) * kPrime;
    }
  }
  for (; i < size; ++i) {
    hash = (hash ^ words[i]) * kPrime;
  }
  for (const std::uint64_t lane : lanes) {
    hash = (hash ^ lane) * kPrime;
  }
  return hash;
}

/// Largest of |a - b| / (absolute + relative |b|); infinity where only one of the two is NaN.
template <class T>
double largestDifference(std::span<const T> actual, std::span<const T> expected, double relative,
                         double absolute) {
  double largest = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto a = static_cast<double>(actual[i]);
    const auto b = static_cast<double>(expected[i]);
    if (a == b || (std::isnan(a) && std::isnan(b))) {
      continue;
    }
    const double difference = std::abs(a - b) / (absolute + relative * std::abs(b));
    largest = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                     : std::max(largest, difference);
  }
  return largest;
}

}  // namespace dubito::benchmarks
