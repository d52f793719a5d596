// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <utility>

#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/kernels/torch/keyed_random_torch.h"
#include "core/train/head/head_pass_torch.h"
#include "core/train/module_path_torch.h"

namespace dubito {

/// What a linear layer gets, and where it comes from.
struct HeadPass::Dropped {
  at::Tensor x;      ///< [n, inputs] before the dropout
  at::Tensor y;      ///< [n, inputs] behind it
  at::Tensor kept;   ///< [n, inputs] of learned rates p: 1 - z, with the relaxed masks z
  at::Tensor ratio;  ///< [n, inputs] of learned rates: kept / (1 - p)
};

HeadPass::HeadPass(const torch::jit::Module& network, const std::vector<DropoutPlace>& places)
    : mean_(attributeAt(network, "mean")), scale_(attributeAt(network, "scale")) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    Layer layer;
    layer.site = kTrainingSites + static_cast<std::int64_t>(i);
    const auto [owner, name] = ownerOf(network, places[i].path);
    const torch::jit::Module dropout = owner.attr(name).toModule();
    if (dropout.hasattr("logits")) {
      layer.logits = dropout.attr("logits").toTensor();
    } else if (dropout.hasattr("p")) {
      layer.drop_rate = dropout.attr("p").toDouble();
    }
    const auto [linear, weight] = ownerOf(network, places[i].weight);
    layer.weight = linear.attr(weight).toTensor();
    layer.bias = linear.attr("bias").toTensor();
    layers_.push_back(std::move(layer));
  }
}

std::vector<at::Tensor> HeadPass::parameters() const {
  std::vector<at::Tensor> parameters;
  for (const Layer& layer : layers_) {
    parameters.insert(parameters.end(), {layer.weight, layer.bias});
  }
  return parameters;
}

// As the layers of DropoutDesign, with keyed numbers.
HeadPass::Dropped HeadPass::drop(const Layer& layer, const at::Tensor& x, const RowKeys& keys) {
  Dropped dropped{.x = x, .y = x, .kept = {}, .ratio = {}};
  if (layer.logits.defined()) {
    const at::Tensor uniform = keyedRandom(x, {"uniform", 0.0, 1.0}, keys.seed, keys.items,
                                           keys.draws, {.site = layer.site});
    dropped.kept =
        at::logit(uniform, 1e-7).add_(layer.logits).div_(-kConcreteTemperature).sigmoid_();
    dropped.ratio = dropped.kept / at::sigmoid(-layer.logits);
    dropped.y = x * dropped.ratio;
  } else if (layer.drop_rate > 0.0) {
    dropped.y = keyedDropout(x, layer.drop_rate, keys.seed, keys.items, keys.draws, layer.site);
  }
  return dropped;
}

at::Tensor HeadPass::dropped(std::size_t layer, const at::Tensor& x, const RowKeys& keys) const {
  const at::NoGradGuard no_gradients;
  return drop(layers_.at(layer), x, keys).y;
}

at::Tensor HeadPass::byLogits(const Layer& layer, const Dropped& dropped, const at::Tensor& by_y) {
  // With z = 1 - kept: d log(kept / (1 - p)) / d logit = p - z / temperature.
  const at::Tensor slope = (dropped.kept - 1.0).div_(kConcreteTemperature);
  slope.add_(at::sigmoid(layer.logits)).mul_(dropped.y).mul_(by_y);
  return layer.logits.numel() == 1 ? slope.sum().reshape_as(layer.logits) : slope.sum(0);
}

HeadPass::Gradients HeadPass::run(const at::Tensor& features, const at::Tensor& labels,
                                  const RowKeys& keys, std::int64_t items) const {
  const at::NoGradGuard no_gradients;  // threads of torch do not inherit it
  std::vector<Dropped> inputs;
  at::Tensor h = (features.flatten(1).to(mean_.scalar_type()) - mean_).div_(scale_);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    inputs.push_back(drop(layers_[i], i == 0 ? h : h.relu_(), keys));
    h = at::addmm(layers_[i].bias, inputs.back().y, layers_[i].weight.t());
  }
  const at::Tensor log_probs = at::log_softmax(h, 1);
  const at::Tensor rows = labels.unsqueeze(1);
  Gradients gradients{.loss = -log_probs.gather(1, rows).sum().item<double>(),
                      .weights = std::vector<at::Tensor>(2 * layers_.size()),
                      .rates = {}};
  at::Tensor by_h = at::exp(log_probs);
  by_h.scatter_add_(1, rows, at::full_like(log_probs.select(1, 0), -1.0).unsqueeze(1));
  by_h.div_(static_cast<double>(items));
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    const Dropped& input = inputs[i];
    gradients.weights[2 * i] = at::mm(by_h.t(), input.y);
    gradients.weights[2 * i + 1] = by_h.sum(0);
    if (i == 0 && !layer.logits.defined()) {
      break;
    }
    const at::Tensor by_y = at::mm(by_h, layer.weight);
    if (layer.logits.defined()) {
      gradients.rates.insert(gradients.rates.begin(), byLogits(layer, input, by_y));
      by_h = at::threshold_backward(by_y.mul_(input.ratio), input.x, 0.0);
    } else {
      // What is neither dropped nor cut off by the ReLU is above 0 behind both.
      by_h = at::threshold_backward(by_y, input.y, 0.0).div_(1.0 - layer.drop_rate);
    }
  }
  return gradients;
}

}  // namespace dubito
