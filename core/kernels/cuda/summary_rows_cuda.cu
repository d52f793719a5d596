// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/summary_rows_cuda.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/kernels/cuda/exchange_cuda.h"
#include "core/kernels/cuda/summary_classes_cuda.h"
#include "core/kernels/cuda/summary_item_cuda.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxBlocks = 1 << 16;
// More threads, or more classes for each of so many, do not fit into the registers.
constexpr int kMaxRowThreads = 512;
constexpr int kMaxRowClasses = 8;

// Those of more would not fit into 48 kB of shared memory with the probabilities of the first draw.
constexpr int kMaxSharedVotesThreads = kMaxRowThreads / 2;
template <int kClasses, int kThreads>
using RowVotes = std::conditional_t<kThreads <= kMaxSharedVotesThreads,
                                    SharedVotes<kClasses, kThreads>, RegisterVotes<kClasses>>;

// A block processes one row after another.
template <int kClasses, int kLaneBits>
__global__ void __launch_bounds__(1 << kLaneBits) summariseRows(SummaryTask task) {
  extern __shared__ double firsts[];  // [kClasses][kThreads]
  __shared__ BlockExchange::Memory memory;
  const int draws = static_cast<int>(task.draws);
  const int count = static_cast<int>(task.classes);
  const int thread = static_cast<int>(threadIdx.x);
  constexpr int kThreads = 1 << kLaneBits;
  using Votes = RowVotes<kClasses, kThreads>;
  using Classes = RegisterClasses<kClasses, Votes>;
  int* const votes = reinterpret_cast<int*>(firsts + kClasses * kThreads);  // the same
  BlockExchange exchange(memory, kThreads / kWarp);
  for (std::int64_t row = blockIdx.x; row < task.items; row += gridDim.x) {
    const std::int64_t offset = row * task.classes;
    Classes classes(thread, kLaneBits, firsts + thread, kThreads, Votes(votes + thread));
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
  BlockExchange exchange(memory, kMaxRowThreads / kWarp);
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

unsigned blocksOf(std::int64_t rows) {
  return static_cast<unsigned>(std::min(kMaxBlocks, rows));
}

template <int kClasses, int kLaneBits>
void launchRowsOf(const SummaryTask& task, cudaStream_t stream) {
  constexpr int kThreads = 1 << kLaneBits;
  constexpr std::size_t kBytes =
      sizeof(double) + (kThreads <= kMaxSharedVotesThreads ? sizeof(int) : 0);
  summariseRows<kClasses, kLaneBits>
      <<<blocksOf(task.items), kThreads, kClasses * kThreads * kBytes, stream>>>(task);
}

template <int kLaneBits>
void launchRows(const SummaryTask& task, cudaStream_t stream) {
  constexpr std::int64_t kThreads = 1 << kLaneBits;
  if (task.classes <= 6 * kThreads) {
    launchRowsOf<6, kLaneBits>(task, stream);
  } else if (task.classes <= kMaxRowClasses * kThreads) {
    launchRowsOf<kMaxRowClasses, kLaneBits>(task, stream);
  } else if constexpr (kThreads < kMaxRowThreads) {
    launchRows<kLaneBits + 1>(task, stream);
  }
}

}  // namespace

bool needsSummaryScratch(std::int64_t classes) {
  return classes > std::int64_t{kMaxRowThreads} * kMaxRowClasses;
}

void launchSummaryRows(const SummaryTask& task, const SummaryScratch& scratch,
                       cudaStream_t stream) {
  if (needsSummaryScratch(task.classes)) {
    summariseLongRows<<<blocksOf(task.items), kMaxRowThreads, 0, stream>>>(task, scratch);
  } else {
    launchRows<6>(task, stream);
  }
}

}  // namespace dubito
