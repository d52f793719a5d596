// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <torch/serialize/input-archive.h>
#include <torch/serialize/output-archive.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

#include "core/models/torchscript/checked_import_torch.h"
#include "core/train/learned_dropout_torch.h"
#include "core/train/module_path_torch.h"

namespace dubito {

using torch::jit::Module;

namespace {

constexpr double kRateLearningRate = 0.01;

bool hasLogits(const Module& network, const std::string& path) {
  const auto [owner, name] = ownerOf(network, path);
  return owner.attr(name).toModule().hasattr("logits");
}

/// |V_:i|^2 of every input i of a layer with weights [outputs, inputs, ...].
at::Tensor squaredNormOfInputs(const at::Tensor& weight) {
  std::vector<std::int64_t> others = {0};
  for (std::int64_t axis = 2; axis < weight.dim(); ++axis) {
    others.push_back(axis);
  }
  return weight.square().sum(others);
}

double logitOf(double rate) {
  return std::log(rate / (1.0 - rate));
}

std::vector<double> ratesOf(const at::Tensor& logits) {
  const at::Tensor rates = at::sigmoid(logits.detach().cpu().to(at::kDouble)).contiguous();
  const double* const numbers = rates.const_data_ptr<double>();
  return {numbers, numbers + rates.numel()};
}

}  // namespace

DropRates learnedRates(const Module& network, const std::vector<DropoutPlace>& places) {
  DropRates rates;
  for (const DropoutPlace& place : places) {
    if (hasLogits(network, place.path)) {
      rates[place.path] = ratesOf(attributeAt(network, place.path + ".logits"));
    }
  }
  return rates;
}

LearnedDropout::LearnedDropout(const Module& network, const std::vector<DropoutPlace>& places,
                               double length_scale, std::int64_t items)
    : length_scale_(length_scale), items_(items) {
  std::vector<at::Tensor> parameters;
  for (const DropoutPlace& place : places) {
    if (hasLogits(network, place.path)) {
      layers_.push_back({place, attributeAt(network, place.path + ".logits"),
                         attributeAt(network, place.weight)});
      parameters.push_back(layers_.back().logits);
    }
  }
  if (!parameters.empty()) {
    optimiser_ = std::make_unique<torch::optim::Adam>(std::move(parameters),
                                                      torch::optim::AdamOptions(kRateLearningRate));
  }
}

std::vector<at::Tensor> LearnedDropout::weights() const {
  std::vector<at::Tensor> weights;
  for (const Layer& layer : layers_) {
    weights.push_back(layer.weight);
  }
  return weights;
}

std::vector<at::Tensor> LearnedDropout::logits() const {
  std::vector<at::Tensor> logits;
  for (const Layer& layer : layers_) {
    logits.push_back(layer.logits);
  }
  return logits;
}

at::Tensor LearnedDropout::penalty() const {
  const double dropout_reg = 1.0 / static_cast<double>(items_);
  const double weight_reg = 0.5 * length_scale_ * length_scale_ * dropout_reg;
  at::Tensor sum;
  for (const Layer& layer : layers_) {
    const at::Tensor& logits = layer.logits;
    const at::Tensor dropped = at::sigmoid(logits);
    const at::Tensor kept = at::sigmoid(-logits);
    const at::Tensor negative_entropy =
        dropped * at::log_sigmoid(logits) + kept * at::log_sigmoid(-logits);
    const double inputs_per_rate = static_cast<double>(layer.place.units / logits.numel());
    const at::Tensor of_layer = weight_reg * (squaredNormOfInputs(layer.weight) / kept).sum() +
                                dropout_reg * inputs_per_rate * negative_entropy.sum();
    sum = sum.defined() ? sum + of_layer : of_layer;
  }
  return sum;
}

void LearnedDropout::zeroGradients() {
  if (optimiser_) {
    optimiser_->zero_grad();
  }
}

void LearnedDropout::step(double share) {
  if (!optimiser_) {
    return;
  }
  for (auto& group : optimiser_->param_groups()) {
    group.options().set_lr(kRateLearningRate * share);
  }
  optimiser_->step();
  const at::NoGradGuard no_gradients;
  for (const Layer& layer : layers_) {
    layer.logits.clamp_(logitOf(kSmallestLearnedRate), logitOf(kLargestLearnedRate));
  }
}

std::vector<LayerDropRates> LearnedDropout::trace() const {
  std::vector<LayerDropRates> trace;
  for (const Layer& layer : layers_) {
    const std::vector<double> rates = ratesOf(layer.logits);
    const auto [smallest, largest] = std::ranges::minmax(rates);
    LayerDropRates of_layer{
        layer.place.path,
        std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size()),
        smallest, largest};
    if (rates.size() > 1) {
      const std::size_t count = std::min(kTracedUnits, rates.size());
      for (std::size_t i = 0; i < count; ++i) {
        of_layer.units.push_back(rates[i * rates.size() / count]);
      }
    }
    trace.push_back(std::move(of_layer));
  }
  return trace;
}

std::string LearnedDropout::optimiserState() const {
  if (!optimiser_) {
    return {};
  }
  torch::serialize::OutputArchive archive;
  optimiser_->save(archive);
  std::ostringstream bytes;
  archive.save_to(bytes);
  return bytes.str();
}

void LearnedDropout::restoreOptimiser(const std::string& state) {
  TORCH_CHECK(state.empty() == !optimiser_, "it belongs to a different network");
  if (optimiser_) {
    checkArchive(state);
    torch::serialize::InputArchive archive;
    archive.load_from(state.data(), state.size(), layers_.front().logits.device());
    optimiser_->load(archive);
  }
}

}  // namespace dubito
