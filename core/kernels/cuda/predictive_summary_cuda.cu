// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/predictive_summary_cuda.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/kernels/cuda/exchange_cuda.h"
#include "core/kernels/cuda/log_rest_cuda.h"
#include "core/kernels/cuda/summary_classes_cuda.h"
#include "core/kernels/cuda/summary_item_cuda.h"
#include "core/kernels/cuda/summary_rows_cuda.h"
#include "core/kernels/cuda/tile_cuda.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxBlocks = 1 << 16;
constexpr int kMaxSlices = 4;
// Blocks of tiles that shall fit on a multiprocessor: as many as need no spills, because threads of
// one warp overlap little.
template <int kClasses, int kLaneBits>
constexpr int kTileBlocks = kLaneBits == 1 || kLaneBits == 2
                                ? (kClasses <= 6 ? 5 : (kClasses <= 8 ? 4 : 3))
                                : (kClasses <= 7 ? 5 : (kClasses <= 9 || kLaneBits == 0 ? 4 : 3));
// A block processes one tile after another: each of its warps every blockDim.x / 32-th draw of all
// items of the tile, because there are often fewer items than threads. The first warp adds up.
template <int kClasses, int kLaneBits>
__global__ void __launch_bounds__(kMaxSlices* kWarp, (kTileBlocks<kClasses, kLaneBits>))
    summariseTiles(SummaryTask task) {
  using Classes = RegisterClasses<kClasses, SharedVotes<kClasses, kWarp>>;
  extern __shared__ double memory[];
  const int place = static_cast<int>(threadIdx.x) % kWarp;
  const int slice = static_cast<int>(threadIdx.x) / kWarp;
  const int slices = static_cast<int>(blockDim.x) / kWarp;
  double* const first = memory + place;           // [kClasses][kWarp]
  double* const sums = first + kClasses * kWarp;  // [slices - 1][kClasses + 2][kWarp]
  int* const votes =                              // [slices][kClasses][kWarp]
      reinterpret_cast<int*>(memory + (kClasses + (slices - 1) * (kClasses + 2)) * kWarp) + place;
  float* const words_of_slices =
      reinterpret_cast<float*>(votes - place + slices * kClasses * kWarp);
  const Tile<kClasses, kLaneBits> tile(static_cast<int>(task.classes),
                                       words_of_slices + slice * kTileWords<kClasses>);
  TeamExchange exchange{tile.lanes()};
  const int draws = static_cast<int>(task.draws);
  const std::int64_t rows = kWarp / tile.lanes();
  for (std::int64_t begin = blockIdx.x * rows; begin < task.items; begin += gridDim.x * rows) {
    const std::int64_t offset = begin * task.classes;
    const int count = static_cast<int>(min(rows, task.items - begin) * task.classes);
    Classes classes(tile.lane(), kLaneBits, first, kWarp,
                    SharedVotes<kClasses, kWarp>(votes + slice * kClasses * kWarp));
    ItemSummariser<Classes, TeamExchange> item(classes, exchange);
    float words[kClasses];
    tile.read(task.input[slice] + offset, count, -INFINITY, words);
    for (int draw = slice; draw < draws; draw += slices) {
      tile.toClasses(words, -INFINITY, classes.logits());
      if (draw + slices < draws) {
        tile.read(task.input[draw + slices] + offset, count, -INFINITY, words);
      }
      item.takeDraw();
      if (closesProduct(draw, slices)) {
        item.closeProduct();
      }
      if (draw == slice) {
        if (slice == 0) {
          item.setFirst();
        }
        // Until here, the first warp adds up what the others know of the tile before.
        __syncthreads();
        classes.clearVotes();
      }
      item.addProbs();
      if (task.draw_probs != nullptr) {
        float probs[kClasses];
        classes.forEach([&](int c) { probs[c] = static_cast<float>(item.probOf(c)); });
        float probs_of_words[kClasses];
        tile.toWords(probs, probs_of_words);
        tile.write(probs_of_words, task.draw_probs[draw] + offset, count);
      }
    }
    item.closeProduct();
    if (slice > 0) {
      double* const own_sums = sums + (slice - 1) * (kClasses + 2) * kWarp;
      classes.forEach([&](int c) { own_sums[c * kWarp] = classes.mean(c); });
      own_sums[kClasses * kWarp] = item.entropies();
      own_sums[(kClasses + 1) * kWarp] = item.squares();
    }
    __syncthreads();
    // The others wait for the first draw of the next tile.
    if (slice > 0) {
      continue;
    }
#pragma unroll 1
    for (int s = 0; s + 1 < slices; ++s) {
      const double* const of_slice = sums + s * (kClasses + 2) * kWarp;
      classes.forEach([&](int c) {
        classes.mean(c) += of_slice[c * kWarp];
        classes.votes(c) += votes[((s + 1) * kClasses + c) * kWarp];
      });
      item.entropies() += of_slice[kClasses * kWarp];
      item.squares() += of_slice[(kClasses + 1) * kWarp];
    }
    item.finish(task, begin + tile.row(), tile.row() * task.classes < count);
    // Through shared memory, which `first` leaves free, to memory in one piece.
    __syncwarp();
    double* const means = memory;
    classes.forEach([&](int c) {
      if (tile.has(c)) {
        means[tile.wordOf(c)] = classes.mean(c);
      }
    });
    __syncwarp();
    for (int at = place; at < count; at += kWarp) {
      task.mean_probs[offset + at] = means[at];
    }
    __syncwarp();
  }
}

unsigned blocksOf(std::int64_t work) {
  return static_cast<unsigned>(std::min(kMaxBlocks, work));
}

struct TileLaunch {
  const SummaryTask& task;
  const TileShape& shape;
  cudaStream_t stream;

  template <int kClasses, int kLaneBits>
  void at() const {
    // Every slice has a draw; the first few draws are not worth more of them.
    const int slices = task.draws >= 12 ? 4 : (task.draws >= 4 ? 2 : 1);
    const int doubles = kWarp * (kClasses + (slices - 1) * (kClasses + 2));
    const int words = slices * (kWarp * kClasses + kTileWords<kClasses>);
    const std::size_t bytes = static_cast<std::size_t>(doubles) * sizeof(double) +
                              static_cast<std::size_t>(words) * sizeof(float);
    const std::int64_t tiles = (task.items + shape.rows() - 1) / shape.rows();
    summariseTiles<kClasses, kLaneBits>
        <<<blocksOf(tiles), static_cast<unsigned>(slices * kWarp), bytes, stream>>>(task);
  }
};

}  // namespace

cudaError_t launchSummary(const SummaryTask& task, const SummaryScratch& scratch,
                          cudaStream_t stream) {
  if (task.items == 0) {
    return cudaSuccess;
  }
  if (task.classes <= kMaxTileClasses) {
    const TileShape shape(task.classes);
    launchForShape<1, 0>(shape, TileLaunch{task, shape, stream});
  } else {
    launchSummaryRows(task, scratch, stream);
  }
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    return error;
  }
  return launchLogRest(task, stream);
}

}  // namespace dubito
