// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <random>
#include <stdexcept>

#include "core/data/sources/array_dataset.h"
#include "core/methods/method_data.h"
#include "core/predict/predict.h"
#include "tests/benchmark/lenet.h"

namespace dubito {
namespace {

constexpr int kThreads = 2;
constexpr std::int64_t kBatch = 500;
constexpr std::int64_t kItems = 10'000;
constexpr std::int64_t kItemsOfLargeHead = 2'000;

std::shared_ptr<const ArrayDataset> randomImages(std::int64_t items, std::int64_t height,
                                                 std::int64_t width, std::int64_t classes,
                                                 unsigned seed) {
  Array<std::uint8_t> images = Array<std::uint8_t>::zeros({items, height, width, 1});
  std::mt19937 random(seed);
  for (std::uint8_t& pixel : images.mutableValues()) {
    pixel = static_cast<std::uint8_t>(random() >> 24);
  }
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < items; ++i) {
    labels.push_back(static_cast<std::int64_t>(random() % static_cast<unsigned>(classes)));
  }
  return std::make_shared<const ArrayDataset>(DatasetInfo{}, images, std::move(labels));
}

/// Nothing but a head of 2048 features and 1000 classes: its passes cost next to nothing.
std::string savedLargeHead(const test::TempDir& folder) {
  torch::jit::Module network("head");
  network.register_attribute("training", c10::BoolType::get(), false);
  network.register_parameter("w", at::randn({1000, 2048}) / 45.0, false);
  network.register_parameter("b", at::zeros({1000}), false);
  network.define(R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1), self.w, self.b)
)");
  const std::string path = folder.file("head.pt");
  network.save(path, {{"metadata.json", R"({"channels": 1, "input_size": [32, 64],
                                            "output": "logits"})"}});
  return path;
}

class Setup {
 public:
  explicit Setup(bool large_head) : items(large_head ? kItemsOfLargeHead : kItems) {
    at::set_num_threads(kThreads);
    context.threads = kThreads;
    path = large_head ? savedLargeHead(folder_) : test::savedLenet(folder_);
    auto loaded = loadModel(path, {}, context);
    if (!loaded) {
      throw std::runtime_error(loaded.error().message);
    }
    model = *loaded;
    data.fit =
        large_head ? randomImages(items, 32, 64, 1000, 1) : randomImages(items, 28, 28, 10, 1);
    evaluated =
        large_head ? randomImages(1000, 32, 64, 1000, 2) : randomImages(items, 28, 28, 10, 2);
    method.link = "probit";
    method.tau = 1.0;
  }
  ~Setup() { at::set_num_threads(1); }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  LaplaceOptions fitted() {
    auto ready = prepareMethod(*model, method, data, {.batch = kBatch}, context);
    if (!ready) {
      throw std::runtime_error(ready.error().message);
    }
    return std::get<LaplaceOptions>(*ready);
  }
  void predictWith(const MethodOptions& ready) {
    const auto run = predict(*model, *evaluated, ready, {.batch = kBatch}, context);
    if (!run) {
      throw std::runtime_error(run.error().message);
    }
  }

 private:
  test::TempDir folder_;

 public:
  std::int64_t items;
  RunContext context;
  std::string path;
  ModelPtr model;
  MethodData data;
  DatasetPtr evaluated;
  LaplaceOptions method;
};

/// The network alone, on inputs that are there already.
void forwardPasses(benchmark::State& state) {
  const Setup setup(false);
  const c10::InferenceMode inference;
  torch::jit::Module network = torch::jit::load(setup.path);
  network.eval();
  const at::Tensor images = at::rand({setup.items, 1, 28, 28});
  for (auto _ : state) {
    for (const at::Tensor& batch : images.split(kBatch)) {
      const at::Tensor logits = network.forward({batch}).toTensor();
      benchmark::DoNotOptimize(logits.const_data_ptr());
    }
  }
}

void fit(benchmark::State& state, bool large_head, const char* prior, const char* layers) {
  Setup setup(large_head);
  setup.method.layers = layers;
  if (prior != nullptr) {
    setup.method.tau.reset();
    setup.method.prior = prior;
  }
  for (auto _ : state) {
    const LaplaceOptions ready = setup.fitted();
    benchmark::DoNotOptimize(ready.fitted.get());
  }
}

void predictMap(benchmark::State& state) {
  Setup setup(false);
  for (auto _ : state) {
    setup.predictWith(MapOptions{});
  }
}

void predictLaplace(benchmark::State& state, bool large_head, const char* link) {
  Setup setup(large_head);
  setup.method.link = link;
  const LaplaceOptions ready = setup.fitted();
  for (auto _ : state) {
    setup.predictWith(ready);
  }
}

void once(benchmark::internal::Benchmark* timing) {
  timing->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
}

BENCHMARK(forwardPasses)->Name("laplace_fit/baseline")->Apply(once);
BENCHMARK_CAPTURE(fit, lenet, false, nullptr, "last")->Name("laplace_fit/ours")->Apply(once);
BENCHMARK_CAPTURE(fit, evidence, false, "auto-evidence", "last")
    ->Name("laplace_fit/with_evidence")
    ->Apply(once);
BENCHMARK(forwardPasses)->Name("laplace_predict/baseline")->Apply(once);
BENCHMARK(predictMap)->Name("laplace_predict/map")->Apply(once);
BENCHMARK_CAPTURE(predictLaplace, probit, false, "probit")
    ->Name("laplace_predict/ours")
    ->Apply(once);
BENCHMARK(forwardPasses)->Name("laplace_bridge/baseline")->Apply(once);
BENCHMARK_CAPTURE(predictLaplace, bridge, false, "bridge-centred")
    ->Name("laplace_bridge/ours")
    ->Apply(once);
BENCHMARK_CAPTURE(fit, all_layers, false, nullptr, "all")
    ->Name("laplace_all_fit/ours")
    ->Apply(once);
BENCHMARK_CAPTURE(fit, large, true, nullptr, "last")->Name("laplace_large_fit/ours")->Apply(once);
BENCHMARK_CAPTURE(predictLaplace, large_probit, true, "probit")
    ->Name("laplace_large_predict/ours")
    ->Apply(once);
BENCHMARK_CAPTURE(predictLaplace, large_bridge, true, "bridge-centred")
    ->Name("laplace_large_predict/bridge")
    ->Apply(once);

}  // namespace
}  // namespace dubito
