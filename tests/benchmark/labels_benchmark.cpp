// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "core/labels/label_store.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using std::chrono::steady_clock;

constexpr std::int64_t kDecisions = 100'000;

template <class T>
T valueOf(Expected<T> result) {
  if (!result) {
    throw std::runtime_error(result.error().message);
  }
  return std::move(*result);
}

Decision decisionAbout(std::int64_t item) {
  return {.item = item,
          .content_hash = std::to_string(item),
          .item_name = "images/" + std::to_string(item) + ".png",
          .class_id = item % 10,
          .annotator = "ann",
          .probs = std::vector<float>(10, 0.1F)};
}

/// A store with ten classes and 100 000 decisions of one step.
std::unique_ptr<LabelStore> fullStore(const std::string& path) {
  auto store = valueOf(LabelStore::open(path, StoreMode::kOpenOrCreate));
  const std::vector<std::string> classes{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  if (const Status belongs = store->belongTo({.name = "a", .spec = "", .fingerprint = ""}, classes);
      !belongs) {
    throw std::runtime_error(belongs.error().message);
  }
  std::vector<Decision> decisions;
  for (std::int64_t item = 0; item < kDecisions; ++item) {
    decisions.push_back(decisionAbout(item));
  }
  (void)valueOf(store->decide(decisions));
  return store;
}

/// One decision until it is on the disk, in a store of 100 000; also the median and the 95 %
/// percentile in ms.
void decideDurably(benchmark::State& state) {
  const test::TempDir folder;
  const auto store = fullStore(folder.file("items.labels"));
  std::vector<double> times;
  std::int64_t item = 0;
  for (auto _ : state) {
    const auto began = steady_clock::now();
    const Decision decision = decisionAbout(item++ % kDecisions);
    benchmark::DoNotOptimize(valueOf(store->decide(std::span(&decision, 1))));
    times.push_back(std::chrono::duration<double, std::milli>(steady_clock::now() - began).count());
  }
  std::ranges::sort(times);
  state.counters["median_ms"] = times[times.size() / 2];
  state.counters["p95_ms"] = times[times.size() * 95 / 100];
}

void decideMany(benchmark::State& state) {
  for (auto _ : state) {
    const test::TempDir folder;
    benchmark::DoNotOptimize(fullStore(folder.file("items.labels")));
  }
}

/// Opening a store of 100 000 decisions and reading all labels.
void openStoreAndReadLabels(benchmark::State& state) {
  const test::TempDir folder;
  const std::string path = folder.file("items.labels");
  fullStore(path).reset();
  for (auto _ : state) {
    const auto store = valueOf(LabelStore::open(path, StoreMode::kOpen));
    if (valueOf(store->labels()).size() != kDecisions) {
      throw std::runtime_error("labels are missing");
    }
  }
}

BENCHMARK(decideDurably)
    ->Name("decide_durably/ours")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1000);
BENCHMARK(decideMany)
    ->Name("decide_many/ours")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK(openStoreAndReadLabels)
    ->Name("open_labels/ours")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace dubito
