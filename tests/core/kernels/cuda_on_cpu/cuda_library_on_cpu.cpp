// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the place of core/kernels/cuda_library.cpp: a CUDA device, on which the kernels of
// core/kernels/cuda run on the processor.
#include "core/kernels/cuda_library.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/kernels/cuda/laplace_bridge_cuda.h"
#include "core/kernels/cuda/logit_normal_cuda.h"
#include "core/kernels/cuda/predictive_summary_cuda.h"
#include "tests/core/kernels/cuda_on_cpu/schedules.h"

namespace dubito {
namespace {

void requireLaunched(cudaError_t error) {
  if (error != cudaSuccess) {
    throw std::runtime_error("the launch fails with CUDA's error " + std::to_string(error));
  }
}

void bridgeDiagonal(const DiagonalBridgeTask& task, int) {
  const auto elements = static_cast<std::size_t>(task.items * task.classes);
  const std::vector<float> log_alpha = cuda_on_cpu::withEverySchedule(
      elements, std::numeric_limits<float>::quiet_NaN(), [&](float* output) {
        DiagonalBridgeTask on_device = task;
        on_device.log_alpha = output;
        requireLaunched(launchBridgeDiagonal(on_device, nullptr));
      });
  std::ranges::copy(log_alpha, task.log_alpha);
}

void sumLogitNormal(const LogitNormalBatch& batch, int) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto elements = static_cast<std::size_t>(batch.items * batch.classes);
  const std::vector<double> sums = cuda_on_cpu::withEverySchedule(
      elements + static_cast<std::size_t>(batch.items), kNan, [&](double* output) {
        LogitNormalBatch on_device = batch;
        on_device.probs = output;
        on_device.entropies = output + elements;
        const LogitNormalPlan plan = planLogitNormal(on_device);
        std::vector<double> scratch(static_cast<std::size_t>(plan.globalDoubles()), kNan);
        requireLaunched(launchLogitNormal(on_device, plan, scratch.data(), nullptr));
      });
  std::copy_n(sums.data(), elements, batch.probs);
  std::copy_n(sums.data() + elements, batch.items, batch.entropies);
}

/// Column after column of a task in one array of doubles.
void summariseLogits(const SummaryTask& task, int) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto items = static_cast<std::size_t>(task.items);
  const auto values = static_cast<std::size_t>(task.items * task.classes);
  const std::vector<double*> columns{
      task.entropy,         task.expected_entropy, task.mutual_information,
      task.variation_ratio, task.variance,         task.confidence,
      task.log_rest};
  const std::vector<double> results = cuda_on_cpu::withEverySchedule(
      values + (columns.size() + 1) * items, kNan, [&](double* output) {
        SummaryTask on_device = task;
        on_device.mean_probs = output;
        double* column = output + values;
        for (double** const member :
             {&on_device.entropy, &on_device.expected_entropy, &on_device.mutual_information,
              &on_device.variation_ratio, &on_device.variance, &on_device.confidence,
              &on_device.log_rest}) {
          *member = column;
          column += items;
        }
        std::vector<std::int64_t> predictions(items, -1);
        on_device.predictions = predictions.data();
        SummaryScratch scratch;
        const std::size_t scratch_size = needsSummaryScratch(task.classes) ? values : 0;
        std::vector<double> powers(scratch_size, kNan);
        std::vector<double> first(scratch_size, kNan);
        std::vector<int> votes(scratch_size, -1);
        if (scratch_size > 0) {
          scratch = {powers.data(), first.data(), votes.data()};
        }
        requireLaunched(launchSummary(on_device, scratch, nullptr));
        std::ranges::copy(predictions, column);
      });
  std::copy_n(results.data(), values, task.mean_probs);
  const double* from = results.data() + values;
  for (double* const column : columns) {
    std::copy_n(from, items, column);
    from += items;
  }
  std::transform(from, from + items, task.predictions,
                 [](double prediction) { return static_cast<std::int64_t>(prediction); });
}

}  // namespace

Status prepareCuda(const Device&) {
  return {};
}

BridgeDiagonalCudaFunction bridgeDiagonalCudaFunction() {
  return bridgeDiagonal;
}

LogitNormalCudaFunction logitNormalCudaFunction() {
  return sumLogitNormal;
}

SummariseLogitsCudaFunction summariseLogitsCudaFunction() {
  return summariseLogits;
}

}  // namespace dubito
