// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/train/head/head_step_torch.h"

namespace dubito {
namespace {

// Matrix products of fewer rows are slower per row.
constexpr std::int64_t kRowsPerPart = 64;

std::int64_t partsOf(std::int64_t rows, const at::Device& device) {
  if (!device.is_cpu()) {
    return 1;
  }
  // At least two, because torch would use its threads for the steps of a single one.
  return std::min(rows, std::max<std::int64_t>(2, (rows + kRowsPerPart - 1) / kRowsPerPart));
}

/// The operators of the network, one by one, without calls: autograd records them, so that nothing
/// is gained by an executor that differentiates or fuses.
torch::jit::Code plainCode(const torch::jit::Module& network) {
  const std::shared_ptr<torch::jit::Graph> graph = network.get_method("forward").graph()->copy();
  torch::jit::Inline(*graph);
  return torch::jit::Code(graph, "head");
}

}  // namespace

HeadStep::HeadStep(const HeadTensors& items, const torch::jit::Module& network,
                   LearnedDropout& learned, FusedAdam& adam, std::uint64_t seed, at::Device device)
    : items_(items),
      network_(network),
      code_(plainCode(network)),
      learned_(learned),
      adam_(adam),
      seed_(static_cast<std::int64_t>(seed)),
      device_(device) {}

HeadStep::Part HeadStep::partOf(const at::Tensor& rows, std::int64_t epoch, std::int64_t total,
                                bool with_penalty) const {
  const at::AutoGradMode with_gradients(true);  // threads of torch do not inherit it
  const at::Tensor labels = items_.labels.index_select(0, rows).to(device_);
  const at::Tensor features = items_.features.index_select(0, rows).to(device_);
  torch::jit::Stack values = {network_._ivalue(), features, seed_, rows,
                              at::full_like(rows, epoch)};
  torch::jit::InterpreterState(code_).run(values);
  const at::Tensor logits = values.at(0).toTensor();
  const at::Tensor sum = at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum);
  const at::Tensor mean = sum / static_cast<double>(total);
  std::vector<at::Tensor> parameters = adam_.parameters();
  const std::vector<at::Tensor> of_rates = learned_.logits();
  parameters.insert(parameters.end(), of_rates.begin(), of_rates.end());
  std::vector<at::Tensor> gradients =
      torch::autograd::grad({with_penalty ? mean + learned_.penalty() : mean}, parameters);
  for (at::Tensor& gradient : gradients) {
    gradient = gradient.contiguous();
  }
  Part part{.loss = sum.item<double>(), .gradients = std::move(gradients), .of_rates = {}};
  const auto weights =
      part.gradients.begin() + static_cast<std::ptrdiff_t>(adam_.parameters().size());
  part.of_rates.assign(weights, part.gradients.end());
  part.gradients.erase(weights, part.gradients.end());
  return part;
}

double HeadStep::run(const at::Tensor& rows, std::int64_t epoch, double rate, double share) {
  const std::int64_t total = rows.size(0);
  const std::int64_t count = partsOf(total, device_);
  std::vector<Part> parts(static_cast<std::size_t>(count));
  at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      parts[static_cast<std::size_t>(i)] =
          partOf(rows.slice(0, total * i / count, total * (i + 1) / count), epoch, total,
                 i == 0 && !learned_.empty());
    }
  });
  double loss = 0.0;
  std::vector<std::vector<at::Tensor>> gradients;
  for (Part& part : parts) {
    loss += part.loss;
    gradients.push_back(std::move(part.gradients));
  }
  adam_.step(gradients, rate);
  std::vector<at::Tensor> logits = learned_.logits();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    at::Tensor sum = parts.front().of_rates[i];
    for (std::size_t j = 1; j < parts.size(); ++j) {
      sum = sum + parts[j].of_rates[i];
    }
    logits[i].mutable_grad() = sum;
  }
  learned_.step(share);
  return loss;
}

}  // namespace dubito
