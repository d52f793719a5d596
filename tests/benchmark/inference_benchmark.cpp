// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "core/data/sources/array_dataset.h"
#include "core/models/model.h"
#include "core/predict/predict.h"
#include "tests/benchmark/lenet.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using torch::jit::Module;

constexpr int kThreads = 2;
constexpr std::int64_t kDraws = 50;
constexpr std::int64_t kItems = 10'000;
// The slow ways see so many items in one pass; run_benchmarks.py scales by what the counters say.
constexpr std::int64_t kItemsOfBaseline = 1'000;

std::string samplePath() {
  return (test::sourceDir() / "datasets/samples/lenet-mnist.pt").string();
}

void fullPasses(benchmark::State& state, Module network) {
  const c10::InferenceMode inference;
  at::set_num_threads(kThreads);
  network.train(true);
  const at::Tensor images = at::rand({kItemsOfBaseline, 1, 28, 28});
  for (auto _ : state) {
    const at::Tensor probs = at::softmax(network.forward({images}).toTensor(), -1);
    benchmark::DoNotOptimize(probs.const_data_ptr());
  }
  at::set_num_threads(1);
  state.counters["scale"] =
      static_cast<double>(kDraws) * static_cast<double>(kItems / kItemsOfBaseline);
}

void prefixOnce(benchmark::State& state) {
  const c10::InferenceMode inference;
  at::set_num_threads(kThreads);
  Module network = test::lenet();
  const at::Tensor images = at::rand({kItemsOfBaseline, 1, 28, 28});
  const at::Tensor weight = network.attr("w4").toTensor();
  const at::Tensor bias = network.attr("b4").toTensor();
  for (auto _ : state) {
    const at::Tensor features = network.get_method("features")({images}).toTensor();
    for (std::int64_t draw = 0; draw < kDraws; ++draw) {
      const at::Tensor logits = at::linear(at::dropout(features, 0.5, true), weight, bias);
      const at::Tensor probs = at::softmax(logits, -1);
      benchmark::DoNotOptimize(probs.const_data_ptr());
    }
  }
  at::set_num_threads(1);
  state.counters["scale"] = static_cast<double>(kItems / kItemsOfBaseline);
}

void predictAll(benchmark::State& state, const std::string& path) {
  at::set_num_threads(kThreads);
  RunContext context;
  context.threads = kThreads;
  context.seed = 1;
  const Expected<ModelPtr> model = loadModel(path, {}, context);
  if (!model) {
    throw std::runtime_error(model.error().message);
  }
  Array<std::uint8_t> images = Array<std::uint8_t>::zeros({kItems, 28, 28, 1});
  std::mt19937 random(1);
  for (std::uint8_t& pixel : images.mutableValues()) {
    pixel = static_cast<std::uint8_t>(random() >> 24);
  }
  const ArrayDataset dataset({}, images, std::vector<std::int64_t>(kItems, -1));
  McDropoutOptions method;
  method.draws = kDraws;
  for (auto _ : state) {
    const Expected<Run> run = predict(**model, dataset, method, {}, context);
    if (!run) {
      throw std::runtime_error(run.error().message);
    }
  }
  at::set_num_threads(1);
}

void oursOnLenet(benchmark::State& state) {
  const test::TempDir folder;
  predictAll(state, test::savedLenet(folder));
}

BENCHMARK_CAPTURE(fullPasses, head, test::lenet())
    ->Name("mc_dropout_head/baseline")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(prefixOnce)
    ->Name("mc_dropout_head/prefix_once")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK(oursOnLenet)
    ->Name("mc_dropout_head/ours")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(fullPasses, demo, torch::jit::load(samplePath()))
    ->Name("mc_dropout_demo/baseline")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(predictAll, demo, samplePath())
    ->Name("mc_dropout_demo/ours")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);

}  // namespace
}  // namespace dubito
