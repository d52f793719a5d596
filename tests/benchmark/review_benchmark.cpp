// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/io/run_summary.h"
#include "core/review/queue.h"

namespace dubito {
namespace {

constexpr std::int64_t kReviewItems = 1'000'000;
constexpr std::int64_t kReviewClasses = 10;

/// Predictions of every certainty; a tenth of the labels contradicts them.
const Run& reviewedRun() {
  static const Run made = [] {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    Run run;
    Array<float> probs = Array<float>::zeros({kReviewItems, kReviewClasses});
    run.labels = Array<std::int64_t>::zeros({kReviewItems});
    run.ids = Array<std::int64_t>::zeros({kReviewItems});
    std::iota(run.ids.mutableValues().begin(), run.ids.mutableValues().end(), std::int64_t{0});
    for (std::int64_t i = 0; i < kReviewItems; ++i) {
      const auto row = probs.mutableRow(i);
      float sum = 0.0F;
      for (float& prob : row) {
        prob = std::pow(uniform(random), 20.0F) + 1e-6F;
        sum += prob;
      }
      for (float& prob : row) {
        prob /= sum;
      }
      const auto best = std::ranges::max_element(row) - row.begin();
      run.labels.mutableData()[i] = i % 10 == 0 ? (best + 1) % kReviewClasses : best;
    }
    run.probs = probs;
    fillFromProbs(run, RunContext());
    return run;
  }();
  return made;
}

/// The whole order, from the probabilities; `by` names the queue.
void buildWholeQueue(benchmark::State& state, const char* by) {
  const Run& run = reviewedRun();
  RunContext context;
  context.threads = 2;
  for (auto _ : state) {
    const auto queue = buildQueue(run, {.by = by}, {}, context);
    benchmark::DoNotOptimize(queue.value().rows.data());
  }
}

BENCHMARK_CAPTURE(buildWholeQueue, margin, "margin")
    ->Name("review_queue/ours")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(buildWholeQueue, label_errors, "label-errors")
    ->Name("review_errors/ours")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace dubito
