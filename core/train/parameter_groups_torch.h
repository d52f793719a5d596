// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/optim/optimizer.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "core/train/learned_dropout_torch.h"

namespace dubito {

/// The parameters of a network in groups for an optimiser with `options`: weights whose penalty
/// comes with their learned drop rates have no weight decay, and the logits of the rates are left
/// out, because LearnedDropout moves them.
template <class Options>
[[nodiscard]] std::vector<torch::optim::OptimizerParamGroup> parameterGroups(
    const std::vector<at::Tensor>& parameters, const LearnedDropout& dropout,
    const Options& options) {
  const std::vector<at::Tensor> penalised = dropout.weights();
  const std::vector<at::Tensor> logits = dropout.logits();
  const auto isAmong = [](const std::vector<at::Tensor>& tensors, const at::Tensor& tensor) {
    return std::ranges::any_of(tensors,
                               [&tensor](const at::Tensor& one) { return one.is_same(tensor); });
  };
  std::vector<at::Tensor> others;
  std::ranges::copy_if(parameters, std::back_inserter(others), [&](const at::Tensor& parameter) {
    return !isAmong(penalised, parameter) && !isAmong(logits, parameter);
  });
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(others, std::make_unique<Options>(options));
  if (!penalised.empty()) {
    Options without_decay = options;
    without_decay.weight_decay(0.0);
    groups.emplace_back(penalised, std::make_unique<Options>(without_decay));
  }
  return groups;
}

}  // namespace dubito
