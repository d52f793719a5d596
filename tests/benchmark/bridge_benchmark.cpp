// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/kernels/laplace_bridge.h"
#include "core/kernels/logit_normal_mc.h"

namespace dubito {
namespace {

constexpr std::int64_t kItems = 10'000;
constexpr std::int64_t kSamples = 1000;
constexpr int kThreads = 2;
// Elements of one chunk of draws: 64 MB.
constexpr std::int64_t kChunkElements = std::int64_t{1} << 24;

/// Independent logits of N items, made once a size.
struct Gaussians {
  explicit Gaussians(std::int64_t classes)
      : mean(4.0 * at::randn({kItems, classes})), variance(at::rand({kItems, classes}) + 0.1) {}

  [[nodiscard]] LogitGaussians ours() const {
    const auto view = [](const at::Tensor& tensor) {
      return Array<float>::view({tensor.size(0), tensor.size(1)}, tensor.const_data_ptr<float>(),
                                {});
    };
    return {view(mean), DiagonalCovariance{view(variance)}};
  }

  at::Tensor mean;
  at::Tensor variance;
};

/// Torch on as many threads as we use, while it lives.
class TorchThreads {
 public:
  TorchThreads() { at::set_num_threads(kThreads); }
  ~TorchThreads() { at::set_num_threads(before_); }
  TorchThreads(const TorchThreads&) = delete;
  TorchThreads& operator=(const TorchThreads&) = delete;

 private:
  int before_ = at::get_num_threads();
};

RunContext twoThreads() {
  RunContext context;
  context.threads = kThreads;
  return context;
}

/// alpha by the formula as it is printed, which overflows at gaps over 88.
void bridgeOfTensors(benchmark::State& state) {
  const Gaussians gaussians(state.range(0));
  const TorchThreads threads;
  const auto classes = static_cast<double>(state.range(0));
  for (auto _ : state) {
    const at::Tensor total = gaussians.variance.sum(1, true);
    const at::Tensor variance =
        gaussians.variance * (1.0 - 2.0 / classes) + total / (classes * classes);
    const at::Tensor mean = gaussians.mean - gaussians.mean.mean(1, true);
    const at::Tensor sum = at::exp(-mean).sum(1, true);
    const at::Tensor alpha =
        (1.0 - 2.0 / classes + at::exp(mean) * sum / (classes * classes)) / variance;
    benchmark::DoNotOptimize(alpha.const_data_ptr());
  }
}

void ourBridge(benchmark::State& state) {
  const Gaussians gaussians(state.range(0));
  const RunContext context = twoThreads();
  for (auto _ : state) {
    const Array<float> log_alpha =
        laplaceBridge(gaussians.ours(), BridgeVariant::kCentred, context);
    benchmark::DoNotOptimize(log_alpha.data());
  }
}

/// What one writes with tensors, in chunks of items that fit in memory. The mean alone.
void averageOfTensors(benchmark::State& state) {
  const Gaussians gaussians(state.range(0));
  const TorchThreads threads;
  const std::int64_t items = std::max<std::int64_t>(1, kChunkElements / kSamples / state.range(0));
  const auto timed = static_cast<std::int64_t>(kItems / state.range(1));
  for (auto _ : state) {
    for (std::int64_t begin = 0; begin < timed; begin += items) {
      const std::int64_t end = std::min(timed, begin + items);
      const at::Tensor mean = gaussians.mean.slice(0, begin, end).unsqueeze(0);
      const at::Tensor deviation = gaussians.variance.slice(0, begin, end).sqrt().unsqueeze(0);
      const at::Tensor noise = at::randn({kSamples, end - begin, state.range(0)});
      const at::Tensor probs = at::softmax(mean + deviation * noise, -1).mean(0);
      benchmark::DoNotOptimize(probs.const_data_ptr());
    }
  }
  state.counters["scale"] = static_cast<double>(state.range(1));
}

void ourAverage(benchmark::State& state) {
  const Gaussians gaussians(state.range(0));
  const RunContext context = twoThreads();
  const std::int64_t items = kItems / state.range(1);
  const LogitGaussians all = gaussians.ours();
  const LogitGaussians timed{
      all.mean.slice(0, items),
      DiagonalCovariance{std::get<DiagonalCovariance>(all.covariance).variance.slice(0, items)}};
  std::vector<std::int64_t> ids(static_cast<std::size_t>(items));
  std::iota(ids.begin(), ids.end(), std::int64_t{0});
  for (auto _ : state) {
    const LogitNormalSummary summary = logitNormalMc(timed, ids, kSamples, 1, context);
    benchmark::DoNotOptimize(summary.mutual_information.data());
  }
  state.counters["scale"] = static_cast<double>(state.range(1));
}

/// Groups bridge_K and logit_normal_K; the long ones are timed on every 10th or 100th of the items.
void registerAll() {
  for (const std::int64_t classes : {3, 10, 100, 1000}) {
    const std::int64_t share = classes >= 1000 ? 100 : classes >= 100 ? 10 : 1;
    const std::string suffix = "_" + std::to_string(classes);
    const auto add = [](const std::string& name, void (*body)(benchmark::State&),
                        const std::vector<std::int64_t>& arguments) {
      benchmark::RegisterBenchmark(name.c_str(), body)
          ->Args(arguments)
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    };
    add("bridge" + suffix + "/baseline", &bridgeOfTensors, {classes});
    add("bridge" + suffix + "/ours", &ourBridge, {classes});
    add("logit_normal" + suffix + "/baseline", &averageOfTensors, {classes, share});
    add("logit_normal" + suffix + "/ours", &ourAverage, {classes, share});
  }
}

[[maybe_unused]] const bool kRegistered = [] {
  registerAll();
  return true;
}();

}  // namespace
}  // namespace dubito
