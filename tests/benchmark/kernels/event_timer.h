// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "tests/benchmark/kernels/device_memory.h"

namespace dubito::benchmarks {

/// Milliseconds that `enqueue` takes on the default stream, by events: the median of up to `rounds`
/// rounds after two that do not count, fewer if they take more than half a second.
inline double medianMilliseconds(const std::function<void()>& enqueue, int rounds = 25) {
  constexpr double kMaxMilliseconds = 500.0;
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  require(cudaEventCreate(&begin), "cudaEventCreate");
  require(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<double> times;
  double total = 0.0;
  for (int round = -2; round < rounds && total < kMaxMilliseconds; ++round) {
    require(cudaEventRecord(begin), "cudaEventRecord");
    enqueue();
    require(cudaEventRecord(end), "cudaEventRecord");
    require(cudaEventSynchronize(end), "kernel");
    float milliseconds = 0.0F;
    require(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    if (round >= 0) {
      times.push_back(milliseconds);
      total += milliseconds;
    }
  }
  static_cast<void>(cudaEventDestroy(begin));
  static_cast<void>(cudaEventDestroy(end));
  std::ranges::sort(times);
  return times[times.size() / 2];
}

}  // namespace dubito::benchmarks
