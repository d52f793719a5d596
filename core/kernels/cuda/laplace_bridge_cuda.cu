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
// Blocks of tiles that shall fit on a multiprocessor: 64 or 80 registers for a thread.
template <int kClasses, bool kWholeRows>
constexpr int kTileBlocks = kWholeRows || kClasses < 8 ? 4 : 3;

// Each warp processes one tile after another, with all of its values in registers.
template <int kClasses, bool kWholeRows>
__global__ void __launch_bounds__(kThreads, (kTileBlocks<kClasses, kWholeRows>))
    bridgeTiles(DiagonalBridgeTask task, ClassShares shares, int lane_bits) {
  __shared__ float4 memory[kWarps][(kTileWords<kClasses> + 3) / 4];
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const Tile<kClasses, kWholeRows> tile(static_cast<int>(task.classes), lane_bits,
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

template <int kClasses, bool kWholeRows>
void launchTiles(const DiagonalBridgeTask& task, const TileShape& shape, cudaStream_t stream) {
  if (shape.thread_classes == kClasses) {
    const std::int64_t tiles = (task.items + shape.rows() - 1) / shape.rows();
    bridgeTiles<kClasses, kWholeRows><<<blocksOf(tiles), kThreads, 0, stream>>>(
        task, ClassShares(task.classes), shape.lane_bits);
  } else if constexpr (kClasses < kMaxThreadClasses) {
    launchTiles<kClasses + 1, kWholeRows>(task, shape, stream);
  }
}

}  // namespace

cudaError_t launchBridgeDiagonal(const DiagonalBridgeTask& task, cudaStream_t stream) {
  if (task.items == 0) {
    return cudaSuccess;
  }
  if (task.classes <= kMaxTileClasses) {
    const TileShape shape(task.classes);
    if (shape.hasWholeRows()) {
      launchTiles<1, true>(task, shape, stream);
    } else {
      launchTiles<kMinSharedClasses, false>(task, shape, stream);
    }
  } else {
    bridgeRows<<<blocksOf(task.items), kThreads, 0, stream>>>(task, ClassShares(task.classes));
  }
  return cudaGetLastError();
}

}  // namespace dubito
