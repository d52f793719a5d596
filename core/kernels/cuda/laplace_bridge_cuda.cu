// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cfloat>
#include <cstdint>

#include "core/kernels/cuda/laplace_bridge_cuda.h"
#include "core/kernels/cuda/team_cuda.h"

namespace dubito {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMaxBlocks = 1 << 16;

// Each team of threads processes one row after another; the formula is that of bridge() in
// core/kernels/cpu/laplace_bridge_cpu.cpp.
__global__ void bridgeRows(DiagonalBridgeTask task, int lanes) {
  const std::int64_t classes = task.classes;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const std::int64_t rows_per_block = blockDim.x / lanes;
  const auto size = static_cast<float>(classes);
  // 0 for two classes.
  const auto share = static_cast<float>(1.0 - 2.0 / static_cast<double>(classes));
  // The same number of iterations in every team, because teams share warps.
  for (std::int64_t first = blockIdx.x * rows_per_block; first < task.items;
       first += gridDim.x * rows_per_block) {
    const std::int64_t row = first + threadIdx.x / lanes;
    const bool is_valid = row < task.items;
    const float* const mean = task.mean + (is_valid ? row : 0) * classes;
    const float* const variance = task.variance + (is_valid ? row : 0) * classes;
    float lowest = FLT_MAX;
    float total = 0.0F;
    for (std::int64_t k = lane; k < classes; k += lanes) {
      lowest = fminf(lowest, mean[k]);
      total += variance[k];
    }
    lowest = teamMin(lowest, lanes);
    total = teamSum(total, lanes);
    float sum = 0.0F;
    for (std::int64_t k = lane; k < classes; k += lanes) {
      sum += expf(lowest - mean[k]);
    }
    const float sum_share = teamSum(sum, lanes) / (size * size);
    const float own = task.centred ? share : 1.0F;
    const float common = task.centred ? total / (size * size) : 0.0F;
    for (std::int64_t k = lane; is_valid && k < classes; k += lanes) {
      const float above = mean[k] - lowest;
      const float of_bridge = fmaf(variance[k], own, common);
      // fmaxf would replace NaN by FLT_MIN.
      const float divisor = of_bridge < FLT_MIN ? FLT_MIN : of_bridge;
      const float quotient = fmaf(share, expf(-above), sum_share) / divisor;
      task.log_alpha[row * classes + k] = above + logf(quotient < FLT_MIN ? FLT_MIN : quotient);
    }
  }
}

}  // namespace

cudaError_t launchBridgeDiagonal(const DiagonalBridgeTask& task, cudaStream_t stream) {
  if (task.items == 0) {
    return cudaSuccess;
  }
  int lanes = 1;
  while (lanes < 32 && lanes < task.classes) {
    lanes *= 2;
  }
  const std::int64_t rows_per_block = kThreads / lanes;
  const auto blocks = static_cast<unsigned>(
      std::min(kMaxBlocks, (task.items + rows_per_block - 1) / rows_per_block));
  bridgeRows<<<blocks, kThreads, 0, stream>>>(task, lanes);
  return cudaGetLastError();
}

}  // namespace dubito
