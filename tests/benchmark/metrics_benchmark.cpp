// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include "core/metrics/evaluation.h"

namespace dubito {
namespace {

constexpr std::int64_t kItems = 1'000'000;
constexpr std::int64_t kClasses = 10;
constexpr std::int64_t kBins = 15;
constexpr int kThreads = 2;

struct Predictions {
  at::Tensor probs;
  at::Tensor labels;
};

/// Predictions of every certainty, labels drawn from them.
const Predictions& predictions() {
  static const Predictions made = [] {
    const at::Tensor certainty = 1.0 + 5.0 * at::rand({kItems, 1});
    Predictions result;
    result.probs = at::softmax(certainty * at::randn({kItems, kClasses}), -1);
    result.labels = at::multinomial(result.probs, 1).squeeze(1);
    return result;
  }();
  return made;
}

/// The textbook's formulas with tensor operations: ECE, NLL, Brier, AUROC, AP, AURC, FPR95.
void tensorExpressions(benchmark::State& state) {
  at::set_num_threads(kThreads);
  const auto& [probs, labels] = predictions();
  for (auto _ : state) {
    const auto [confidence, predicted] = at::max(probs, 1);
    const at::Tensor correct = predicted.eq(labels).to(at::kDouble);
    const at::Tensor edges = at::linspace(0.0, 1.0, kBins + 1);
    const at::Tensor bin = (at::bucketize(confidence, edges) - 1).clamp(0, kBins - 1);
    const at::Tensor gaps = at::bincount(bin, confidence.to(at::kDouble) - correct, kBins);
    const double ece = gaps.abs().sum().item<double>() / static_cast<double>(kItems);
    const at::Tensor of_label = probs.gather(1, labels.unsqueeze(1));
    const double nll = -at::log(of_label).mean().item<double>();
    const double brier =
        (probs - at::one_hot(labels, kClasses)).square().sum(1).mean().item<double>();
    const at::Tensor order = at::argsort(confidence, -1, true);
    const at::Tensor hits = correct.index_select(0, order).cumsum(0);
    const at::Tensor count = at::arange(1, kItems + 1, at::kDouble);
    const at::Tensor misses = count - hits;
    const at::Tensor is_hit = correct.index_select(0, order);
    const at::Tensor positives = hits[-1];
    const at::Tensor negatives = misses[-1];
    const double auroc = ((1.0 - is_hit) * hits).sum().div(positives * negatives).item<double>();
    const double ap = (is_hit * hits / count).sum().div(positives).item<double>();
    const double aurc = (misses / count).mean().item<double>();
    const auto at95 = (hits / positives).ge(0.95).to(at::kInt).argmax();
    const double fpr95 = (misses.index_select(0, at95.view({1})) / negatives).item<double>();
    benchmark::DoNotOptimize(ece + nll + brier + auroc + ap + aurc + fpr95);
  }
  at::set_num_threads(1);
}

/// evaluate() of a run as a file holds it. It also gives MCE, equal-mass and classwise calibration,
/// and all rankings by the entropy.
void ours(benchmark::State& state) {
  const auto& [probs, labels] = predictions();
  const auto [confidence, predicted] = at::max(probs, 1);
  const at::Tensor wide = confidence.to(at::kDouble);
  const at::Tensor entropy = -(probs * at::log(probs + 1e-30)).sum(1).to(at::kDouble);
  const at::Tensor ids = at::arange(kItems);
  Run run;
  run.probs = Array<float>::view({kItems, kClasses}, probs.const_data_ptr<float>(), {});
  run.labels = Array<std::int64_t>::view({kItems}, labels.const_data_ptr<std::int64_t>(), {});
  run.predictions =
      Array<std::int64_t>::view({kItems}, predicted.const_data_ptr<std::int64_t>(), {});
  run.ids = Array<std::int64_t>::view({kItems}, ids.const_data_ptr<std::int64_t>(), {});
  run.confidence = Array<double>::view({kItems}, wide.const_data_ptr<double>(), {});
  run.entropy = Array<double>::view({kItems}, entropy.const_data_ptr<double>(), {});
  RunContext context;
  context.threads = kThreads;
  for (auto _ : state) {
    const Expected<Evaluation> evaluation = evaluate(run, {}, {}, context);
    benchmark::DoNotOptimize(evaluation.value().ece);
  }
}

BENCHMARK(tensorExpressions)
    ->Name("metrics/baseline")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(ours)->Name("metrics/ours")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace dubito
