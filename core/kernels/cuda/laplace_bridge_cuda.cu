// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/laplace_bridge_cuda.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "core/kernels/cuda/row_bridge_cuda.h"
#include "core/kernels/cuda/team_cuda.h"
#include "core/kernels/cuda/tile_cuda.h"

namespace dubito {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr std::int64_t kMaxBlocks = 1 << 14;
// Blocks of tiles that shall fit on a multiprocessor: 64 registers for a thread.
constexpr int kTileBlocks = 4;
// Of a block with a row in its registers.
constexpr int kMaxRowThreads = 512;
constexpr int kMaxRowClasses = 8;
// Such blocks that shall fit: 40 registers for a thread.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int kRowBlocks = 2;  // There are only 1024 threads.
#else
constexpr int kRowBlocks = 3;
#endif

// Each warp processes one tile after another, with all of its values in registers.
template <int kClasses, int kLaneBits>
__global__ void __launch_bounds__(kThreads, kTileBlocks)
    bridgeTiles(DiagonalBridgeTask task, ClassShares shares) {
  __shared__ float4 memory[kWarps][(kTileWords<kClasses> + 3) / 4];
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const Tile<kClasses, kLaneBits> tile(static_cast<int>(task.classes),
                                       reinterpret_cast<float*>(memory[warp]));
  const int lanes = tile.lanes();
  const std::int64_t rows = kWarp / lanes;
  const std::int64_t step = std::int64_t{gridDim.x} * kWarps * rows;
  for (std::int64_t begin = (std::int64_t{blockIdx.x} * kWarps + warp) * rows; begin < task.items;
       begin += step) {
    const std::int64_t offset = begin * task.classes;
    const int count = static_cast<int>(min(rows, task.items - begin) * task.classes);
    float words[kClasses];
    float variance_words[kClasses];
    tile.read(task.mean + offset, count, INFINITY, words);
    tile.read(task.variance + offset, count, 0.0F, variance_words);
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
      mean[c] -= lowest;
      powers[c] = expf(-mean[c]);
      sum += powers[c];
    }
    const RowBridge bridge(shares, task.centred, teamSum(sum, lanes), total);
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      mean[c] = bridge.logAlpha(mean[c], powers[c], variance[c]);
    }
    tile.toWords(mean, words);
    tile.write(words, task.log_alpha + offset, count);
  }
}

/// What the warps of a block know of a row.
struct WarpValues {
  float lowest[kMaxRowThreads / kWarp];
  float total[kMaxRowThreads / kWarp];
  float sum[kMaxRowThreads / kWarp];
};

// Each block processes one row after another, with all of its values in registers. Between two
// writes of a value of another warp's, all warps wait twice.
template <int kClasses>
__global__ void __launch_bounds__(kMaxRowThreads, kRowBlocks)
    bridgeBlocks(DiagonalBridgeTask task, ClassShares shares) {
  __shared__ WarpValues of_warps;
  const int classes = static_cast<int>(task.classes);
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const int warp = thread / kWarp;
  const int warps = threads / kWarp;
  const int other = thread % warps;
  for (std::int64_t row = blockIdx.x; row < task.items; row += gridDim.x) {
    const std::int64_t offset = row * task.classes + thread;
    const float* const means = task.mean + offset;
    const float* const variances = task.variance + offset;
    float mean[kClasses];
    float variance[kClasses];
    float lowest = FLT_MAX;
    float total = 0.0F;
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      const bool is_there = c * threads + thread < classes;
      mean[c] = is_there ? means[c * threads] : INFINITY;
      variance[c] = is_there ? variances[c * threads] : 0.0F;
    }
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      lowest = fminf(lowest, mean[c]);
      total += variance[c];
    }
    lowest = teamMin(lowest, kWarp);
    total = teamSum(total, kWarp);
    if (thread % kWarp == 0) {
      of_warps.lowest[warp] = lowest;
      of_warps.total[warp] = total;
    }
    __syncthreads();
    lowest = teamMin(of_warps.lowest[other], warps);
    total = teamSum(of_warps.total[other], warps);
    float powers[kClasses];
    float sum = 0.0F;
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      mean[c] -= lowest;
      powers[c] = expf(-mean[c]);
      sum += powers[c];
    }
    sum = teamSum(sum, kWarp);
    if (thread % kWarp == 0) {
      of_warps.sum[warp] = sum;
    }
    __syncthreads();
    const RowBridge bridge(shares, task.centred, teamSum(of_warps.sum[other], warps), total);
    float* const log_alphas = task.log_alpha + offset;
#pragma unroll
    for (int c = 0; c < kClasses; ++c) {
      if (c * threads + thread < classes) {
        log_alphas[c * threads] = bridge.logAlpha(mean[c], powers[c], variance[c]);
      }
    }
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

struct TileLaunch {
  const DiagonalBridgeTask& task;
  const TileShape& shape;
  cudaStream_t stream;

  template <int kClasses, int kLaneBits>
  void at() const {
    const std::int64_t tiles = (task.items + shape.rows() - 1) / shape.rows();
    bridgeTiles<kClasses, kLaneBits>
        <<<blocksOf(tiles), kThreads, 0, stream>>>(task, ClassShares(task.classes));
  }
};

void launchBlocks(const DiagonalBridgeTask& task, cudaStream_t stream) {
  unsigned threads = 2 * kWarp;
  while (std::int64_t{kMaxRowClasses} * threads < task.classes) {
    threads *= 2;
  }
  const auto blocks = static_cast<unsigned>(std::min(kMaxBlocks, task.items));
  if (task.classes <= std::int64_t{6} * threads) {
    bridgeBlocks<6><<<blocks, threads, 0, stream>>>(task, ClassShares(task.classes));
  } else {
    bridgeBlocks<kMaxRowClasses><<<blocks, threads, 0, stream>>>(task, ClassShares(task.classes));
  }
}

}  // namespace

cudaError_t launchBridgeDiagonal(const DiagonalBridgeTask& task, cudaStream_t stream) {
  if (task.items == 0) {
    return cudaSuccess;
  }
  if (task.classes <= kMaxTileClasses) {
    const TileShape shape(task.classes);
    launchForShape<1, 0>(shape, TileLaunch{task, shape, stream});
  } else if (task.classes <= std::int64_t{kMaxRowThreads} * kMaxRowClasses) {
    launchBlocks(task, stream);
  } else {
    bridgeRows<<<blocksOf(task.items), kThreads, 0, stream>>>(task, ClassShares(task.classes));
  }
  return cudaGetLastError();
}

}  // namespace dubito
