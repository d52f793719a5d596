// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cuda/team_cuda.h"

namespace dubito {

// How the threads that share an item combine their values. All of them call the functions together,
// and all get the result.

/// Of the threads of a team.
struct TeamExchange {
  int lanes;

  template <class T>
  __device__ Largest<T> largest(Largest<T> own) const {
    return teamLargest(own, lanes);
  }
  __device__ void sum(double& a, double& b) const {
    a = teamSum(a, lanes);
    b = teamSum(b, lanes);
  }
};

/// Of all threads of a block; the number of its warps is a power of two.
class BlockExchange {
 public:
  static constexpr int kMaxWarps = 16;
  /// In shared memory, one for every other exchange: who reads the one still finds the other.
  struct Memory {
    double a[2][kMaxWarps];
    double b[2][kMaxWarps];
    int index[2][kMaxWarps];
  };

  __device__ BlockExchange(Memory& memory, int warps)
      : memory_(memory),
        warps_(warps),
        warp_(static_cast<int>(threadIdx.x) / kWarp),
        lane_(static_cast<int>(threadIdx.x) % kWarp) {}

  template <class T>
  __device__ Largest<T> largest(Largest<T> own) {
    own = teamLargest(own, kWarp);
    if (lane_ == 0) {
      memory_.a[turn_][warp_] = own.value;
      memory_.index[turn_][warp_] = own.index;
    }
    __syncthreads();
    const int from = lane_ % warps_;
    own = teamLargest(
        Largest<T>{static_cast<T>(memory_.a[turn_][from]), memory_.index[turn_][from]}, warps_);
    turn_ ^= 1;
    return own;
  }

  __device__ void sum(double& a, double& b) {
    a = teamSum(a, kWarp);
    b = teamSum(b, kWarp);
    if (lane_ == 0) {
      memory_.a[turn_][warp_] = a;
      memory_.b[turn_][warp_] = b;
    }
    __syncthreads();
    const int from = lane_ % warps_;
    a = teamSum(memory_.a[turn_][from], warps_);
    b = teamSum(memory_.b[turn_][from], warps_);
    turn_ ^= 1;
  }

 private:
  Memory& memory_;
  int warps_;
  int warp_;
  int lane_;
  int turn_ = 0;
};

}  // namespace dubito
