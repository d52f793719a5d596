// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/optim/adam.h>

#include <algorithm>
#include <tuple>

#include "core/train/head/fused_adam_torch.h"

namespace dubito {
namespace {

// Enough work for a thread that has to be woken first.
constexpr std::int64_t kSliceElements = 32768;

at::Tensor elements(const at::Tensor& values, std::int64_t begin, std::int64_t end) {
  return values.view(-1).slice(0, begin, end);
}

}  // namespace

FusedAdam::FusedAdam(const std::vector<torch::optim::OptimizerParamGroup>& groups) {
  const at::NoGradGuard no_gradients;
  for (const auto& group : groups) {
    const auto& options = static_cast<const torch::optim::AdamOptions&>(group.options());
    const auto [beta1, beta2] = options.betas();
    for (const at::Tensor& parameter : group.params()) {
      const at::Tensor values = parameter.detach();
      const at::Tensor mean = at::zeros_like(values);
      const at::Tensor square = at::zeros_like(values);
      const std::int64_t size = values.numel();
      const std::int64_t together =
          values.is_cpu() ? kSliceElements : std::max<std::int64_t>(1, size);
      for (std::int64_t begin = 0; begin < size; begin += together) {
        const std::int64_t end = std::min(size, begin + together);
        slices_.push_back({parameters_.size(), begin, end, elements(values, begin, end),
                           elements(mean, begin, end), elements(square, begin, end)});
      }
      parameters_.push_back(parameter);
      settings_.push_back({options.weight_decay(), beta1, beta2, options.eps()});
    }
  }
  if (!parameters_.empty()) {
    steps_ = at::zeros({}, at::TensorOptions(at::kFloat).device(parameters_.front().device()));
  }
}

void FusedAdam::move(const Slice& slice, const std::vector<std::vector<at::Tensor>>& parts,
                     double rate) {
  const auto part = [&](std::size_t j) {
    return elements(parts[j][slice.parameter], slice.begin, slice.end);
  };
  at::Tensor gradient = part(0);
  for (std::size_t j = 1; j < parts.size(); ++j) {
    gradient.add_(part(j));
  }
  const Settings& settings = settings_[slice.parameter];
  at::_fused_adam_(slice.values, gradient, slice.mean, slice.square, {}, steps_, rate,
                   settings.beta1, settings.beta2, settings.weight_decay, settings.eps,
                   /*amsgrad=*/false, /*maximize=*/false);
}

void FusedAdam::step(const std::vector<std::vector<at::Tensor>>& parts, double rate) {
  if (parameters_.empty()) {
    return;
  }
  steps_.add_(1.0);
  const auto run = [&](std::int64_t begin, std::int64_t end) {
    const at::NoGradGuard no_gradients;  // threads of torch do not inherit it
    for (std::int64_t i = begin; i < end; ++i) {
      move(slices_[static_cast<std::size_t>(i)], parts, rate);
    }
  };
  const auto count = static_cast<std::int64_t>(slices_.size());
  if (parameters_.front().is_cpu()) {
    at::parallel_for(0, count, 1, run);
  } else {
    run(0, count);
  }
}

}  // namespace dubito
