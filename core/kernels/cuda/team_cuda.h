// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

// A team consists of `lanes` adjacent threads of one warp; `lanes` is a power of two. All threads
// of the warp must call the functions below together. Every thread of a team gets the result.

constexpr int kWarpBits = 5;
constexpr int kWarp = 1 << kWarpBits;
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

/// The largest of some values, and its class; ties: the lowest class.
template <class T>
struct Largest {
  T value;
  int index;
};

template <class T>
__device__ Largest<T> largerOf(Largest<T> a, Largest<T> b) {
  const bool is_b = b.value > a.value || (b.value == a.value && b.index < a.index);
  return is_b ? b : a;
}

template <class T>
__device__ Largest<T> teamLargest(Largest<T> largest, int lanes) {
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    const Largest<T> other{__shfl_xor_sync(kWholeWarp, largest.value, distance),
                           __shfl_xor_sync(kWholeWarp, largest.index, distance)};
    largest = largerOf(largest, other);
  }
  return largest;
}

}  // namespace dubito
