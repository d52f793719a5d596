// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mse_loss.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/labs/network/network_regression.h"

namespace dubito {
namespace {

constexpr std::int64_t kPoints = 100;

/// Points on a sine.
RegressionProblem sine() {
  RegressionProblem problem{{}, {}, 0.1};
  for (std::int64_t i = 0; i < kPoints; ++i) {
    const double x = -2.0 + 4.0 * static_cast<double>(i) / kPoints;
    problem.x.push_back(x);
    problem.y.push_back(std::sin(2.0 * x));
  }
  return problem;
}

NetworkShape shapeOf(const benchmark::State& state) {
  return {1, std::vector<std::int64_t>(static_cast<std::size_t>(state.range(1)), state.range(0)), 1,
          Activation::kTanh};
}

void ofTorch(benchmark::State& state) {
  const NetworkShape shape = shapeOf(state);
  RegressionProblem problem = sine();
  std::vector<double> q = initialParameters(shape, 1, 0);
  std::vector<at::Tensor> parameters;
  for (std::int64_t layer = 0; layer < shape.layerCount(); ++layer) {
    const std::int64_t out = shape.outputsOf(layer);
    const std::int64_t in = shape.inputsOf(layer);
    parameters.push_back(
        at::from_blob(q.data() + shape.firstWeightOf(layer), {out, in}, at::kDouble).clone());
    parameters.push_back(
        at::from_blob(q.data() + shape.firstBiasOf(layer), {out}, at::kDouble).clone());
  }
  for (const at::Tensor& parameter : parameters) {
    parameter.requires_grad_();
  }
  const at::Tensor x = at::from_blob(problem.x.data(), {kPoints, 1}, at::kDouble);
  const at::Tensor y = at::from_blob(problem.y.data(), {kPoints, 1}, at::kDouble);
  for (auto _ : state) {
    at::Tensor units = x;
    for (std::size_t i = 0; i < parameters.size(); i += 2) {
      units = at::linear(units, parameters[i], parameters[i + 1]);
      if (i + 2 < parameters.size()) {
        units = units.tanh();
      }
    }
    const at::Tensor loss = at::mse_loss(units, y, at::Reduction::Sum);
    const auto gradient = torch::autograd::grad({loss}, parameters);
    benchmark::DoNotOptimize(gradient.front().const_data_ptr());
  }
}

void ours(benchmark::State& state) {
  const NetworkPosterior posterior(sine(), shapeOf(state));
  const std::vector<double> q = initialParameters(posterior.shape(), 1, 0);
  std::vector<double> gradient(q.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(posterior.evaluate(q, gradient));
  }
}

// Units, hidden layers.
BENCHMARK(ofTorch)->Name("network_50/baseline")->Args({50, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(ours)->Name("network_50/ours")->Args({50, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(ofTorch)->Name("network_128/baseline")->Args({128, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(ours)->Name("network_128/ours")->Args({128, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(ofTorch)->Name("network_50_50/baseline")->Args({50, 2})->Unit(benchmark::kMillisecond);
BENCHMARK(ours)->Name("network_50_50/ours")->Args({50, 2})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dubito
