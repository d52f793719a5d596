// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/predictive_summary_cuda.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/kernels/cuda/exchange_cuda.h"
#include "core/kernels/cuda/log_rest_cuda.h"
#include "core/kernels/cuda/summary_classes_cuda.h"
#include "core/kernels/cuda/summary_item_cuda.h"
#include "core/kernels/cuda/tile_cuda.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxBlocks = 1 << 16;
constexpr int kMaxSlices = 4;
// Blocks of tiles that shall fit on a multiprocessor: 168 registers for a thread. With fewer of
// them, the compiler would overlap less; with more, too few threads wait for each other.
constexpr int kTileBlocks = 3;
// More threads, or more classes for each of so many, do not fit into the registers.
constexpr int kMaxRowThreads = 512;
constexpr int kMaxRowClasses = 8;

/// Every 16th draw of each of `slices`, a power of two.
__device__ bool closesProduct(int draw, int slices) {
  return (draw & (16 * slices - 1)) >= 15 * slices;
}

// A block processes one tile after another: each of its warps every blockDim.x / 32-th draw of all
// items of the tile, because there are often fewer items than threads. The first warp adds up.
template <int kClasses, int kLaneBits>
__global__ void __launch_bounds__(kMaxSlices* kWarp, kTileBlocks) summariseTiles(SummaryTask task) {
  using Classes = RegisterClasses<kClasses, SharedVotes<kClasses>>;
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
                    SharedVotes<kClasses>(votes + slice * kClasses * kWarp));
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

// A block processes one row after another.
template <int kClasses>
__global__ void __launch_bounds__(kMaxRowThreads) summariseRows(SummaryTask task, int lane_bits) {
  using Classes = RegisterClasses<kClasses, RegisterVotes<kClasses>>;
  extern __shared__ double firsts[];  // [kClasses][blockDim.x]
  __shared__ BlockExchange::Memory memory;
  const int draws = static_cast<int>(task.draws);
  const int count = static_cast<int>(task.classes);
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  BlockExchange exchange(memory);
  for (std::int64_t row = blockIdx.x; row < task.items; row += gridDim.x) {
    const std::int64_t offset = row * task.classes;
    Classes classes(thread, lane_bits, firsts + thread, threads, RegisterVotes<kClasses>());
    classes.clearVotes();
    ItemSummariser<Classes, BlockExchange> item(classes, exchange);
    float next[kClasses];
    const auto read = [&](int draw) {
      const float* const from = task.input[draw] + offset;
      classes.forEach([&](int c) {
        const int k = classes.classOf(c);
        next[c] = k < count ? from[k] : -INFINITY;
      });
    };
    read(0);
    for (int draw = 0; draw < draws; ++draw) {
      classes.forEach([&](int c) { classes.logits()[c] = next[c]; });
      if (draw + 1 < draws) {
        read(draw + 1);
      }
      item.takeDraw();
      if (closesProduct(draw, 1)) {
        item.closeProduct();
      }
      if (draw == 0) {
        item.setFirst();
      }
      item.addProbs();
      if (task.draw_probs != nullptr) {
        float* const to = task.draw_probs[draw] + offset;
        classes.forEach([&](int c) {
          const int k = classes.classOf(c);
          if (k < count) {
            to[k] = static_cast<float>(item.probOf(c));
          }
        });
      }
    }
    item.closeProduct();
    item.finish(task, row, true);
    classes.forEach([&](int c) {
      const int k = classes.classOf(c);
      if (k < count) {
        task.mean_probs[offset + k] = classes.mean(c);
      }
    });
  }
}

__global__ void __launch_bounds__(kMaxRowThreads, 1)
    summariseLongRows(SummaryTask task, SummaryScratch scratch) {
  __shared__ BlockExchange::Memory memory;
  BlockExchange exchange(memory);
  const int draws = static_cast<int>(task.draws);
  for (std::int64_t row = blockIdx.x; row < task.items; row += gridDim.x) {
    const std::int64_t offset = row * task.classes;
    ScratchClasses classes(task, scratch, offset);
    ItemSummariser<ScratchClasses, BlockExchange> item(classes, exchange);
    for (int draw = 0; draw < draws; ++draw) {
      classes.setRow(task.input[draw] + offset);
      item.takeDraw();
      if (closesProduct(draw, 1)) {
        item.closeProduct();
      }
      if (draw == 0) {
        item.setFirst();
      }
      item.addProbs();
      if (task.draw_probs != nullptr) {
        float* const to = task.draw_probs[draw] + offset;
        classes.forEach([&](int c) { to[c] = static_cast<float>(item.probOf(c)); });
      }
    }
    item.closeProduct();
    item.finish(task, row, true);
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

template <int kClasses>
void launchRows(const SummaryTask& task, int lane_bits, cudaStream_t stream) {
  const unsigned threads = 1U << lane_bits;
  summariseRows<kClasses>
      <<<blocksOf(task.items), threads, kClasses * threads * sizeof(double), stream>>>(task,
                                                                                       lane_bits);
}

void launchRows(const SummaryTask& task, cudaStream_t stream) {
  int lane_bits = 6;
  while (std::int64_t{kMaxRowClasses} << lane_bits < task.classes) {
    ++lane_bits;
  }
  const std::int64_t thread_classes = (task.classes + (1 << lane_bits) - 1) >> lane_bits;
  if (thread_classes <= 6) {
    launchRows<6>(task, lane_bits, stream);
  } else {
    launchRows<kMaxRowClasses>(task, lane_bits, stream);
  }
}

}  // namespace

bool needsSummaryScratch(std::int64_t classes) {
  return classes > std::int64_t{kMaxRowThreads} * kMaxRowClasses;
}

cudaError_t launchSummary(const SummaryTask& task, const SummaryScratch& scratch,
                          cudaStream_t stream) {
  if (task.items == 0) {
    return cudaSuccess;
  }
  if (task.classes <= kMaxTileClasses) {
    const TileShape shape(task.classes);
    launchForShape<1, 0>(shape, TileLaunch{task, shape, stream});
  } else if (!needsSummaryScratch(task.classes)) {
    launchRows(task, stream);
  } else {
    summariseLongRows<<<blocksOf(task.items), kMaxRowThreads, 0, stream>>>(task, scratch);
  }
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    return error;
  }
  return launchLogRest(task, stream);
}

}  // namespace dubito
