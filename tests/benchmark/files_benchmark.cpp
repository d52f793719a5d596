// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include "core/data/items/dataset.h"
#include "core/io/run_file.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// Opening a run of 1e6 x 10, which is mapped.
void openRun(benchmark::State& state) {
  constexpr std::int64_t kItems = 1'000'000;
  constexpr std::int64_t kClasses = 10;
  const test::TempDir folder;
  const std::string path = folder.file("run.npz");
  RunContext context;
  context.threads = 2;
  {
    Run run;
    Array<float> probs = Array<float>::zeros({kItems, kClasses});
    std::fill_n(probs.mutableData(), probs.size(), 0.1F);
    run.probs = probs;
    run.ids = Array<std::int64_t>::zeros({kItems});
    std::iota(run.ids.mutableData(), run.ids.mutableData() + kItems, std::int64_t{0});
    run.labels = run.predictions = Array<std::int64_t>::zeros({kItems});
    Array<double> confidence = Array<double>::zeros({kItems});
    std::fill_n(confidence.mutableData(), kItems, double{0.1F});
    run.confidence = run.entropy.emplace(confidence);
    if (const Status written = writeRun(run, path, context); !written) {
      throw std::runtime_error(written.error().message);
    }
  }
  for (auto _ : state) {
    const Expected<Run> run = readRun(path, context);
    benchmark::DoNotOptimize(run.value().itemCount());
  }
}

/// Opening a folder of 100 000 images in 100 classes: names and ids, nothing is decoded.
void openFolder(benchmark::State& state) {
  constexpr int kFolders = 100;
  constexpr int kFilesEach = 1000;
  const test::TempDir folder;
  for (int c = 0; c < kFolders; ++c) {
    const std::filesystem::path sub = folder.path() / fmt::format("class{:03}", c);
    std::filesystem::create_directory(sub);
    for (int i = 0; i < kFilesEach; ++i) {
      std::ofstream(sub / fmt::format("image{:05}.png", i)) << "x";
    }
  }
  RunContext context;
  context.threads = 2;
  for (auto _ : state) {
    const auto dataset = openDataset("folder:" + folder.path().string(), context);
    if (!dataset || (*dataset)->size() != kFolders * kFilesEach) {
      throw std::runtime_error("the folder was not opened as a whole");
    }
  }
}

BENCHMARK(openRun)->Name("open_run/ours")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(openFolder)
    ->Name("open_folder/ours")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);

}  // namespace
}  // namespace dubito
