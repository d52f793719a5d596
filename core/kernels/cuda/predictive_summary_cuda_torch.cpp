// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/kernels/cuda/host_arrays_torch.h"
#include "core/kernels/cuda/predictive_summary_cuda.h"
#include "core/kernels/cuda_library.h"

namespace {

/// Device pointers as an array on the device.
template <class T>
at::Tensor pointersOnDevice(const std::vector<T*>& pointers, at::Device device) {
  static_assert(sizeof(T*) == sizeof(std::int64_t));
  return dubito::onDevice(reinterpret_cast<const std::int64_t*>(pointers.data()),
                          static_cast<std::int64_t>(pointers.size()), device);
}

/// Copies draws [T, values] to their places on the host.
void copyDrawsBack(const at::Tensor& draws, const dubito::SummaryTask& wanted) {
  // Every copy waits for the device; below this size that takes longer than copying twice.
  constexpr std::int64_t kLargeDraw = std::int64_t{1} << 16;
  const std::int64_t values = draws.size(1);
  if (values >= kLargeDraw) {
    for (std::int64_t draw = 0; draw < wanted.draws; ++draw) {
      dubito::copyBack(draws[draw], wanted.draw_probs[draw]);
    }
    return;
  }
  const at::Tensor on_host = draws.cpu();
  for (std::int64_t draw = 0; draw < wanted.draws; ++draw) {
    std::copy_n(on_host.const_data_ptr<float>() + draw * values, values, wanted.draw_probs[draw]);
  }
}

void summariseLogitsCuda(const dubito::SummaryTask& wanted, int device_index) {
  if (wanted.items == 0) {
    return;
  }
  const at::Device device(at::kCUDA, static_cast<at::DeviceIndex>(device_index));
  const c10::cuda::CUDAGuard guard(device);
  const auto doubles = at::TensorOptions(device).dtype(at::kDouble);
  const std::int64_t items = wanted.items;
  const std::int64_t values = items * wanted.classes;
  const at::Tensor input = pointersOnDevice(
      std::vector<const float*>(wanted.input, wanted.input + wanted.draws), device);
  const at::Tensor mean_probs = at::empty({values}, doubles);
  dubito::SummaryTask task = wanted;
  task.input = reinterpret_cast<const float* const*>(input.const_data_ptr<std::int64_t>());
  task.mean_probs = mean_probs.mutable_data_ptr<double>();
  // One tensor, because every copy to the host waits for the device.
  const std::vector<double * dubito::SummaryTask::*> columns{
      &dubito::SummaryTask::entropy,
      &dubito::SummaryTask::expected_entropy,
      &dubito::SummaryTask::mutual_information,
      &dubito::SummaryTask::variation_ratio,
      &dubito::SummaryTask::variance,
      &dubito::SummaryTask::confidence,
      &dubito::SummaryTask::log_rest};
  const auto count = static_cast<std::int64_t>(columns.size());
  const at::Tensor results = at::empty({count + 1, items}, doubles);
  double* column = results.mutable_data_ptr<double>();
  for (const auto member : columns) {
    task.*member = column;
    column += items;
  }
  static_assert(sizeof(std::int64_t) == sizeof(double));
  task.predictions = reinterpret_cast<std::int64_t*>(column);
  at::Tensor probs;
  at::Tensor places;
  if (wanted.draw_probs != nullptr) {
    probs = at::empty({wanted.draws, values}, doubles.dtype(at::kFloat));
    std::vector<float*> rows;
    for (std::int64_t draw = 0; draw < wanted.draws; ++draw) {
      rows.push_back(probs.mutable_data_ptr<float>() + draw * values);
    }
    places = pointersOnDevice(rows, device);
    task.draw_probs = reinterpret_cast<float* const*>(places.const_data_ptr<std::int64_t>());
  }
  const std::int64_t scratch_size = dubito::needsSummaryScratch(wanted.classes) ? values : 0;
  const at::Tensor powers = at::empty({scratch_size}, doubles);
  const at::Tensor first = at::empty({scratch_size}, doubles);
  const at::Tensor votes = at::empty({scratch_size}, doubles.dtype(at::kInt));
  const dubito::SummaryScratch scratch{powers.mutable_data_ptr<double>(),
                                       first.mutable_data_ptr<double>(),
                                       votes.mutable_data_ptr<int>()};
  C10_CUDA_CHECK(dubito::launchSummary(task, scratch, c10::cuda::getCurrentCUDAStream()));
  dubito::copyBack(mean_probs, wanted.mean_probs);
  const at::Tensor on_host = results.cpu();
  const double* from = on_host.const_data_ptr<double>();
  for (const auto member : columns) {
    std::copy_n(from, items, wanted.*member);
    from += items;
  }
  std::memcpy(wanted.predictions, from, static_cast<std::size_t>(items) * sizeof(std::int64_t));
  if (probs.defined()) {
    copyDrawsBack(probs, wanted);
  }
}

}  // namespace

extern "C" {

/// See SummariseLogitsCudaFunction.
__attribute__((visibility("default"))) void dubito_summarise_logits_cuda_v1(
    const dubito::SummaryTask& task, int device_index) {
  summariseLogitsCuda(task, device_index);
}

}  // extern "C"
