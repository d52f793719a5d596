// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace dubito::benchmarks {

#ifdef __CUDACC__
#define DUBITO_BOTH_SIDES __host__ __device__
#else
#define DUBITO_BOTH_SIDES
#endif

/// Element `index` of invented values in [-1, 1), the same on both sides.
DUBITO_BOTH_SIDES inline float inventedValue(std::uint64_t index, std::uint64_t seed) {
  std::uint64_t z = (index + seed * 0x9E3779B97F4A7C15ULL + 1) * 0xD1342543DE82EF95ULL;
  z = (z ^ (z >> 32)) * 0xBF58476D1CE4E5B9ULL;
  z ^= z >> 29;
  return static_cast<float>(static_cast<std::int32_t>(z >> 32)) * 0x1p-31F;
}

/// values[i] = offset + scale * inventedValue(i, seed) for all i < size.
[[nodiscard]] cudaError_t fillInvented(float* values, std::int64_t size, float offset, float scale,
                                       std::uint64_t seed);

/// Runs `multiplications` fused multiply-adds in each of a grid of threads that fills the device;
/// `sink` is never written. Returns the number of operations, a fused one counted as two.
[[nodiscard]] double multiplyAdd(int multiprocessors, std::int64_t multiplications, float* sink);

}  // namespace dubito::benchmarks
