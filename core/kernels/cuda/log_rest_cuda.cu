// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/log_rest_cuda.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/kernels/cuda/team_cuda.h"

namespace dubito {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMaxBlocks = 1 << 13;
// Below it the exponentials of the other classes underflow; log_rest is summed in logarithms.
constexpr double kLowestLogRest = -640.0;

/// log(a + b) of two logarithms.
__device__ double addLogs(double a, double b) {
  const double top = a > b ? a : b;
  const double low = a > b ? b : a;
  return top == -INFINITY ? top : top + log1p(exp(low - top));
}

/// Mean over the draws of 1 - p of class `k`, as its logarithm; the work of a warp.
__device__ double logRestOfDraws(const SummaryTask& task, std::int64_t item, std::int64_t k) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int classes = static_cast<int>(task.classes);
  double sum = -INFINITY;
  for (std::int64_t draw = 0; draw < task.draws; ++draw) {
    const float* const row = task.input[draw] + item * task.classes;
    Largest<float> top{-INFINITY, lane};
    for (int other = lane; other < classes; other += kWarp) {
      top = largerOf(top, Largest<float>{other == k ? -INFINITY : row[other], other});
    }
    top = teamLargest(top, kWarp);
    const double top_value = top.value;
    double others = 0.0;
    for (int other = lane; other < classes; other += kWarp) {
      others += other == k || top_value == -INFINITY ? 0.0 : exp(row[other] - top_value);
    }
    const double log_others = top_value + log(teamSum(others, kWarp));
    sum = addLogs(sum, log_others - addLogs(log_others, row[k]));
  }
  return sum - log(static_cast<double>(task.draws));
}

// A warp looks at 32 items at a time: hardly any needs work, and then all lanes take part.
__global__ void __launch_bounds__(kThreads) refineLogRest(SummaryTask task) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x - lane;
       first < task.items; first += stride) {
    const std::int64_t own = first + lane;
    unsigned todo =
        __ballot_sync(kWholeWarp, own < task.items && task.log_rest[own] < kLowestLogRest);
    while (todo != 0) {
      const int owner = __ffs(static_cast<int>(todo)) - 1;
      todo &= todo - 1;
      const std::int64_t item = first + owner;
      const double log_rest = logRestOfDraws(task, item, task.predictions[item]);
      // Nobody writes what another lane has read.
      if (lane == owner) {
        task.log_rest[item] = log_rest;
      }
    }
  }
}

}  // namespace

cudaError_t launchLogRest(const SummaryTask& task, cudaStream_t stream) {
  const auto blocks =
      static_cast<unsigned>(std::min(kMaxBlocks, (task.items + kThreads - 1) / kThreads));
  refineLogRest<<<blocks, kThreads, 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace dubito
