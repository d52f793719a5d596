// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

// A team consists of `lanes` adjacent threads of one warp; `lanes` is a power of two. All threads
// of the warp must call the functions below together. Every thread of a team gets the result.

constexpr unsigned kWholeWarp = 0xFFFFFFFFU;

template <class T>
__device__ T teamSum(T value, int lanes) {
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(kWholeWarp, value, distance);
  }
  return value;
}

__device__ inline float teamMax(float value, int lanes) {
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    value = fmaxf(value, __shfl_xor_sync(kWholeWarp, value, distance));
  }
  return value;
}

__device__ inline float teamMin(float value, int lanes) {
  return -teamMax(-value, lanes);
}

}  // namespace dubito
