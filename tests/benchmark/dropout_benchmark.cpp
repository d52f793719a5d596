// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bernoulli.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <benchmark/benchmark.h>

#include "core/kernels/torch/keyed_dropout_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kRows = 5000;
constexpr std::int64_t kUnits = 500;

void ofTorch(benchmark::State& state) {
  const at::Tensor x = at::randn({kRows, kUnits});
  for (auto _ : state) {
    const at::Tensor dropped = at::dropout(x, 0.5, true);
    benchmark::DoNotOptimize(dropped.const_data_ptr());
  }
}

void ours(benchmark::State& state) {
  const at::Tensor x = at::randn({kRows, kUnits});
  const at::Tensor items = at::arange(kRows);
  const at::Tensor draws = at::zeros({kRows}, at::kLong);
  for (auto _ : state) {
    const at::Tensor dropped = keyedDropout(x, 0.5, 1, items, draws, 0);
    benchmark::DoNotOptimize(dropped.const_data_ptr());
  }
}

void oursPerUnit(benchmark::State& state) {
  const at::Tensor x = at::randn({kRows, kUnits});
  const at::Tensor rates = at::rand({kUnits}) * 0.9;
  const at::Tensor items = at::arange(kRows);
  const at::Tensor draws = at::zeros({kRows}, at::kLong);
  for (auto _ : state) {
    const at::Tensor dropped = keyedUnitDropout(x, rates, 1, items, draws, 0);
    benchmark::DoNotOptimize(dropped.const_data_ptr());
  }
}

void perUnitOfTorch(benchmark::State& state) {
  const at::Tensor x = at::randn({kRows, kUnits});
  const at::Tensor keep = 1.0 - at::rand({kUnits}) * 0.9;
  for (auto _ : state) {
    const at::Tensor dropped = x * (at::bernoulli(keep.expand_as(x)) / keep);
    benchmark::DoNotOptimize(dropped.const_data_ptr());
  }
}

BENCHMARK(ofTorch)->Name("dropout/baseline")->Unit(benchmark::kMillisecond);
BENCHMARK(ours)->Name("dropout/ours")->Unit(benchmark::kMillisecond);
BENCHMARK(perUnitOfTorch)->Name("dropout_units/baseline")->Unit(benchmark::kMillisecond);
BENCHMARK(oursPerUnit)->Name("dropout_units/ours")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dubito
