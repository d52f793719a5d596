// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full_like.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
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

/// The place of each of `some` in `all`.
std::vector<std::size_t> placesIn(const std::vector<at::Tensor>& all,
                                  const std::vector<at::Tensor>& some) {
  std::vector<std::size_t> places;
  for (const at::Tensor& tensor : some) {
    const auto found =
        std::ranges::find_if(all, [&tensor](const at::Tensor& one) { return one.is_same(tensor); });
    TORCH_CHECK(found != all.end(), "a parameter belongs to a different network");
    places.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  return places;
}

}  // namespace

HeadStep::HeadStep(const HeadTensors& items, const HeadPass& pass, LearnedDropout& learned,
                   FusedAdam& adam, std::uint64_t seed, at::Device device)
    : items_(items),
      pass_(pass),
      learned_(learned),
      adam_(adam),
      places_(placesIn(pass.parameters(), adam.parameters())),
      penalised_(placesIn(adam.parameters(), learned.weights())),
      seed_(static_cast<std::int64_t>(seed)),
      device_(device) {}

HeadStep::Part HeadStep::partOf(const at::Tensor& rows, std::int64_t epoch,
                                std::int64_t total) const {
  const at::Tensor labels = items_.labels.index_select(0, rows).to(device_);
  const at::Tensor features = items_.features.index_select(0, rows).to(device_);
  HeadPass::Gradients of_pass =
      pass_.run(features, labels, {seed_, rows, at::full_like(rows, epoch)}, total);
  Part part{.loss = of_pass.loss, .gradients = {}, .of_rates = std::move(of_pass.rates)};
  for (const std::size_t place : places_) {
    part.gradients.push_back(std::move(of_pass.weights[place]));
  }
  return part;
}

void HeadStep::addPenalty(Part& part) const {
  const at::AutoGradMode with_gradients(true);  // threads of torch do not inherit it
  std::vector<at::Tensor> parameters = learned_.weights();
  const std::size_t weights = parameters.size();
  const std::vector<at::Tensor> logits = learned_.logits();
  parameters.insert(parameters.end(), logits.begin(), logits.end());
  const std::vector<at::Tensor> of_penalty =
      torch::autograd::grad({learned_.penalty()}, parameters);
  for (std::size_t i = 0; i < weights; ++i) {
    part.gradients[penalised_[i]].add_(of_penalty[i]);
  }
  for (std::size_t i = 0; i < logits.size(); ++i) {
    part.of_rates[i].add_(of_penalty[weights + i]);
  }
}

double HeadStep::run(const at::Tensor& rows, std::int64_t epoch, double rate, double share) {
  const std::int64_t total = rows.size(0);
  const std::int64_t count = partsOf(total, device_);
  std::vector<Part> parts(static_cast<std::size_t>(count));
  at::parallel_for(0, count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      Part& part = parts[static_cast<std::size_t>(i)];
      part = partOf(rows.slice(0, total * i / count, total * (i + 1) / count), epoch, total);
      if (i == 0 && !learned_.empty()) {
        addPenalty(part);
      }
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
