// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/laplace_bridge_cuda.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "core/kernels/cuda/team_cuda.h"
#include "core/kernels/cuda/tile_cuda.h"

namespace dubito {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr std::int64_t kMaxBlocks = 1 << 14;

/// What depends on the number of classes alone.
struct ClassShares {
  float share;           ///< 1 - 2 / K, which is 0 for two classes
  float inverse_square;  ///< 1 / K^2

  explicit ClassShares(std::int64_t classes)
      : share(static_cast<float>(1.0 - 2.0 / static_cast<double>(classes))),
        inverse_square(1.0F / (static_cast<float>(classes) * static_cast<float>(classes))) {}
};

/// The formula of bridge() in core/kernels/cpu/laplace_bridge_cpu.cpp, for one row.
class RowBridge {
 public:
  /// `sum` of exp(lowest - mean), `total` of the variances.
  __device__ RowBridge(const ClassShares& shares, bool centred, float sum, float total)
      : share_(shares.share),
        sum_share_(sum * shares.inverse_square),
        own_(centred ? shares.share : 1.0F),
        common_(centred ? total * shares.inverse_square : 0.0F) {}

  /// `power`: exp(-above).
  __device__ float logAlpha(float above, float power, float variance) const {
    const float of_bridge = fmaf(variance, own_, common_);
    // fmaxf would replace NaN by FLT_MIN.
    const float divisor = of_bridge < FLT_MIN ? FLT_MIN : of_bridge;
    // Within 2 or 3 ulp; the exact functions take five times as many instructions, and the division
    // a branch.
    const float quotient = __fdividef(fmaf(share_, power, sum_share_), divisor);
    return above + __logf(quotient < FLT_MIN ? FLT_MIN : quotient);
  }

 private:
  float share_;
  float sum_share_;
  float own_;
  float common_;
};

// Each warp processes one tile after another, with all of its values in registers.
template <int kClasses>
__global__ void __launch_bounds__(kThreads)
    bridgeTiles(DiagonalBridgeTask task, ClassShares shares, int lane_bits) {
  __shared__ float memory[kWarps][kTileWords<kClasses>];
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const Tile<kClasses> tile(static_cast<int>(task.classes), lane_bits, memory[warp]);
  const int lanes = 1 << lane_bits;
  const std::int64_t rows = kWarp >> lane_bits;
  const std::int64_t step = std::int64_t{gridDim.x} * kWarps * rows;
  for (std::int64_t begin = (std::int64_t{blockIdx.x} * kWarps + warp) * rows; begin < task.items;
       begin += step) {
    const std::int64_t offset = begin * task.classes;
    const int count = static_cast<int>(min(rows, task.items - begin) * task.classes);
    float words[kClasses];
    float variance_words[kClasses];
    tile.read(task.mean + offset, count, words);
    tile.read(task.variance + offset, count, variance_words);
    float mean[kClasses];
    float variance[kClasses];
    tile.toClasses(words, INFINITY, mean);
    tile.toClasses(variance_words, 0.0F, variance);
    float lowest = FLT_MAX;
    float total = 0.0F;
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      lowest = fminf(lowest, mean[c]);
      total += variance[c];
    }
    lowest = teamMin(lowest, lanes);
    total = teamSum(total, lanes);
    float powers[kClasses];
    float sum = 0.0F;
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      powers[c] = expf(lowest - mean[c]);
      sum += powers[c];
    }
    const RowBridge bridge(shares, task.centred, teamSum(sum, lanes), total);
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      mean[c] = bridge.logAlpha(mean[c] - lowest, powers[c], variance[c]);
    }
    tile.toWords(mean, words);
    tile.write(words, task.log_alpha + offset, count);
  }
}

// Each warp processes one row after another, which is too long for registers: later loops find it
// in the cache.
__global__ void __launch_bounds__(kThreads)
    bridgeRows(DiagonalBridgeTask task, ClassShares shares) {
  const int classes = static_cast<int>(task.classes);
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (std::int64_t row = std::int64_t{blockIdx.x} * kWarps + threadIdx.x / kWarp; row < task.items;
       row += std::int64_t{gridDim.x} * kWarps) {
    const float* const mean = task.mean + row * task.classes;
    const float* const variance = task.variance + row * task.classes;
    float* const log_alpha = task.log_alpha + row * task.classes;
    float lowest = FLT_MAX;
    float total = 0.0F;
#pragma unroll 8
    for (int k = lane; k < classes; k += kWarp) {
      lowest = fminf(lowest, mean[k]);
      total += variance[k];
    }
    lowest = teamMin(lowest, kWarp);
    total = teamSum(total, kWarp);
    float sum = 0.0F;
#pragma unroll 8
    for (int k = lane; k < classes; k += kWarp) {
      sum += expf(lowest - mean[k]);
    }
    const RowBridge bridge(shares, task.centred, teamSum(sum, kWarp), total);
#pragma unroll 4
    for (int k = lane; k < classes; k += kWarp) {
      const float above = mean[k] - lowest;
      log_alpha[k] = bridge.logAlpha(above, expf(-above), variance[k]);
    }
  }
}

unsigned blocksOf(std::int64_t warps) {
  return static_cast<unsigned>(std::min(kMaxBlocks, (warps + kWarps - 1) / kWarps));
}

template <int kClasses>
void launchTiles(const DiagonalBridgeTask& task, const TileShape& shape, cudaStream_t stream) {
  if (shape.thread_classes == kClasses) {
    const std::int64_t tiles = (task.items + shape.rows() - 1) / shape.rows();
    bridgeTiles<kClasses><<<blocksOf(tiles), kThreads, 0, stream>>>(task, ClassShares(task.classes),
                                                                    shape.lane_bits);
  } else if constexpr (kClasses < kMaxThreadClasses) {
    launchTiles<kClasses + 1>(task, shape, stream);
  }
}

}  // namespace

cudaError_t launchBridgeDiagonal(const DiagonalBridgeTask& task, cudaStream_t stream) {
  if (task.items == 0) {
    return cudaSuccess;
  }
  if (task.classes <= kMaxTileClasses) {
    launchTiles<1>(task, TileShape(task.classes), stream);
  } else {
    bridgeRows<<<blocksOf(task.items), kThreads, 0, stream>>>(task, ClassShares(task.classes));
  }
  return cudaGetLastError();
}

}  // namespace dubito
