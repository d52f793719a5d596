// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

#include "core/kernels/predictive_summary.h"

namespace dubito {
namespace {

constexpr std::int64_t kDraws = 20;
constexpr std::int64_t kItems = 10'000;
constexpr std::int64_t kClasses = 10;

at::Tensor logits() {
  static const at::Tensor made = 4.0 * at::randn({kDraws, kItems, kClasses});
  return made;
}

/// What one writes with tensors. The small number keeps log(0) away.
void tensorExpressions(benchmark::State& state) {
  const at::Tensor z = logits();
  const auto entropyOf = [](const at::Tensor& p) { return -(p * at::log(p + 1e-12)).sum(-1); };
  for (auto _ : state) {
    const at::Tensor probs = at::softmax(z, -1);
    const at::Tensor mean = probs.mean(0);
    const at::Tensor entropy = entropyOf(mean);
    const at::Tensor expected_entropy = entropyOf(probs).mean(0);
    const at::Tensor mutual_information = entropy - expected_entropy;
    const at::Tensor confidence = mean.amax(-1);
    benchmark::DoNotOptimize(mutual_information.const_data_ptr());
    benchmark::DoNotOptimize(confidence.const_data_ptr());
  }
}

void ours(benchmark::State& state) {
  const at::Tensor z = logits();
  const auto array = Array<float>::view({kDraws, kItems, kClasses}, z.const_data_ptr<float>(), {});
  RunContext context;
  for (auto _ : state) {
    const PredictiveSummary summary = summariseLogits(array, context);
    benchmark::DoNotOptimize(summary.mutual_information.data());
  }
}

BENCHMARK(tensorExpressions)->Name("summary/baseline")->Unit(benchmark::kMillisecond);
BENCHMARK(ours)->Name("summary/ours")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dubito
