// SPDX-License-Identifier: GPL-3.0-or-later
// Features of a backbone against its forward passes, and training a head on features.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/serialization/import.h>

#include <numeric>
#include <random>
#include <stdexcept>

#include "core/data/sources/array_dataset.h"
#include "core/models/model.h"
#include "core/train/head/backbone_features.h"
#include "core/train/head/fit_head_network.h"
#include "tests/benchmark/lenet.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr int kThreads = 2;
constexpr std::int64_t kItems = 10'000;
constexpr std::int64_t kBatch = 500;
constexpr std::int64_t kFeatures = 512;
constexpr std::int64_t kClasses = 10;

/// The network alone, on inputs that are there already.
void forwardPasses(benchmark::State& state) {
  const c10::InferenceMode inference;
  const test::TempDir folder;
  at::set_num_threads(kThreads);
  torch::jit::Module network = torch::jit::load(test::savedLenet(folder));
  network.eval();
  const at::Tensor images = at::rand({kItems, 1, 28, 28});
  for (auto _ : state) {
    for (const at::Tensor& batch : images.split(kBatch)) {
      const at::Tensor logits = network.forward({batch}).toTensor();
      benchmark::DoNotOptimize(logits.const_data_ptr());
    }
  }
  at::set_num_threads(1);
}

void features(benchmark::State& state) {
  const test::TempDir folder;
  RunContext context;
  context.threads = kThreads;
  const auto model = loadModel(test::savedLenet(folder), {}, context);
  if (!model) {
    throw std::runtime_error(model.error().message);
  }
  Array<std::uint8_t> images = Array<std::uint8_t>::zeros({kItems, 28, 28, 1});
  std::mt19937 random(1);
  for (std::uint8_t& pixel : images.mutableValues()) {
    pixel = static_cast<std::uint8_t>(random() >> 24);
  }
  const ArrayDataset dataset({}, images, std::vector<std::int64_t>(kItems, 0));
  std::vector<std::int64_t> positions(kItems);
  std::iota(positions.begin(), positions.end(), 0);
  for (auto _ : state) {
    const auto computed = backboneFeatures(**model, dataset, positions, {.batch = kBatch}, context);
    if (!computed) {
      throw std::runtime_error(computed.error().message);
    }
  }
  at::set_num_threads(1);
}

/// Classes that overlap a little, as those of a good backbone do.
LabelledFeatures clusters(std::int64_t items, std::uint64_t seed) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  at::Generator of_centres = at::make_generator<at::CPUGeneratorImpl>(1);
  const at::Tensor centres = at::randn({kClasses, kFeatures}, of_centres) * 0.13;
  LabelledFeatures result;
  for (std::int64_t i = 0; i < items; ++i) {
    result.labels.push_back(i % kClasses);
  }
  const at::Tensor values = (at::randn({items, kFeatures}, generator) +
                             centres.index_select(0, at::tensor(result.labels, at::kLong)))
                                .contiguous();
  result.features = Array<float>::fromVector(
      {items, kFeatures}, std::vector<float>(values.const_data_ptr<float>(),
                                             values.const_data_ptr<float>() + values.numel()));
  return result;
}

void trainHead(benchmark::State& state, const char* dropout, std::int64_t layers) {
  const HeadItems items{.train = clusters(kItems, 2),
                        .ids = {},
                        .validation = clusters(kItems / 10, 3),
                        .classes = kClasses};
  HeadOptions options;
  options.dropout = dropout;
  options.layers = layers;
  RunContext context;
  context.threads = kThreads;
  for (auto _ : state) {
    const auto fitted = fitHeadNetwork(items, options, context);
    if (!fitted) {
      throw std::runtime_error(fitted.error().message);
    }
    state.counters["epochs"] = static_cast<double>(fitted->epochs.size());
    state.counters["accuracy"] = fitted->validation->accuracy;
  }
}

void once(benchmark::internal::Benchmark* timing) {
  timing->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
}

BENCHMARK(forwardPasses)->Name("backbone_features/baseline")->Apply(once);
BENCHMARK(features)->Name("backbone_features/ours")->Apply(once);
BENCHMARK_CAPTURE(trainHead, none, "none", 2)->Name("head_training/none")->Apply(once);
BENCHMARK_CAPTURE(trainHead, fixed, "fixed", 2)->Name("head_training/fixed")->Apply(once);
BENCHMARK_CAPTURE(trainHead, concrete, "concrete", 2)->Name("head_training/ours")->Apply(once);
BENCHMARK_CAPTURE(trainHead, multi, "multi", 2)->Name("head_training/multi")->Apply(once);

}  // namespace
}  // namespace dubito
