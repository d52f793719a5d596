// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>

#include <stdexcept>
#include <vector>

#include "core/data/sources/array_dataset.h"
#include "core/kernels/predictive_summary.h"
#include "core/models/model.h"
#include "core/predict/predict.h"
#include "tests/support/temp_dir.h"

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

/// A network whose 50 draws cost little compared with their measures: dropout on 8 numbers before a
/// head of 1 000 classes.
constexpr std::int64_t kPredictedDraws = 50;
constexpr std::int64_t kPredictedItems = 1'000;
constexpr std::int64_t kPredictedClasses = 1'000;
constexpr std::int64_t kInputs = 8;

torch::jit::Module wideHead() {
  torch::jit::Module module("wide");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("w", 4.0 * at::randn({kPredictedClasses, kInputs}), false);
  module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.dropout(x, 0.5, self.training), self.w)
)");
  return module;
}

/// As `predict` does all of it, from items to the run.
void predictWide(benchmark::State& state) {
  const test::TempDir folder;
  torch::jit::Module module = wideHead();
  module.eval();
  module.save(folder.file("wide.pt"),
              {{"metadata.json", R"({"input_size": [8], "output": "logits"})"}});
  RunContext context;
  const Expected<ModelPtr> model = loadModel(folder.file("wide.pt"), {}, context);
  if (!model) {
    throw std::runtime_error(model.error().message);
  }
  const at::Tensor x = at::randn({kPredictedItems, kInputs});
  const float* const data = x.const_data_ptr<float>();
  const ArrayDataset dataset({},
                             Array<float>::fromVector({kPredictedItems, kInputs},
                                                      std::vector<float>(data, data + x.numel())),
                             std::vector<std::int64_t>(kPredictedItems, -1));
  McDropoutOptions method;
  method.draws = kPredictedDraws;
  for (auto _ : state) {
    const Expected<Run> run = predict(**model, dataset, method, {.keep_samples_mb = 0}, context);
    if (!run) {
      throw std::runtime_error(run.error().message);
    }
  }
}

/// Full passes, then the measures in tensors, in double as `predict` gives them.
void passesAndTensorExpressions(benchmark::State& state) {
  const c10::InferenceMode inference;
  torch::jit::Module module = wideHead();
  const at::Tensor x = at::randn({kPredictedItems, kInputs});
  const auto entropyOf = [](const at::Tensor& p) { return -at::xlogy(p, p).sum(-1); };
  for (auto _ : state) {
    at::Tensor mean = at::zeros({kPredictedItems, kPredictedClasses}, at::kDouble);
    at::Tensor expected_entropy = at::zeros({kPredictedItems}, at::kDouble);
    for (std::int64_t draw = 0; draw < kPredictedDraws; ++draw) {
      const at::Tensor probs = at::softmax(module.forward({x}).toTensor().to(at::kDouble), -1);
      mean += probs;
      expected_entropy += entropyOf(probs);
    }
    mean /= kPredictedDraws;
    const at::Tensor entropy = entropyOf(mean);
    const at::Tensor mutual_information = entropy - expected_entropy / kPredictedDraws;
    const at::Tensor confidence = mean.amax(-1);
    benchmark::DoNotOptimize(mutual_information.const_data_ptr());
    benchmark::DoNotOptimize(confidence.const_data_ptr());
  }
}

/// The passes of the same network alone.
void passesAlone(benchmark::State& state) {
  const c10::InferenceMode inference;
  torch::jit::Module module = wideHead();
  const at::Tensor x = at::randn({kPredictedItems, kInputs});
  for (auto _ : state) {
    for (std::int64_t draw = 0; draw < kPredictedDraws; ++draw) {
      benchmark::DoNotOptimize(module.forward({x}).toTensor().const_data_ptr());
    }
  }
}

BENCHMARK(passesAndTensorExpressions)->Name("predict_1000/baseline")->Unit(benchmark::kMillisecond);
BENCHMARK(predictWide)->Name("predict_1000/ours")->Unit(benchmark::kMillisecond);
BENCHMARK(passesAlone)->Name("predict_1000/passes")->Unit(benchmark::kMillisecond);
BENCHMARK(tensorExpressions)->Name("summary/baseline")->Unit(benchmark::kMillisecond);
BENCHMARK(ours)->Name("summary/ours")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dubito
