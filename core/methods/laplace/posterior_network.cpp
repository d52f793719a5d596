// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/device.h"
#include "core/base/memory_budget.h"
#include "core/data/images/input_bytes.h"
#include "core/laplace/posterior/last_layer_gaussians_torch.h"
#include "core/laplace/posterior/layer_covariance_torch.h"
#include "core/laplace/posterior/tensors_torch.h"
#include "core/methods/laplace/posterior_network_torch.h"
#include "core/network/head_network_torch.h"
#include "core/network/network_batch_torch.h"
#include "core/network/tapped_network_torch.h"
#include "core/network/tensor_memory_torch.h"

namespace dubito {
namespace {

class LastLayerNetwork : public PosteriorNetwork {
 public:
  LastLayerNetwork(HeadNetwork head, const LaplacePosterior& posterior, const LaplaceScale& scale)
      : head_(std::move(head)), gaussians_(posterior, scale) {}

  void setScale(const LaplaceScale& scale) override { gaussians_.setScale(scale); }
  [[nodiscard]] Status measureSizes(const at::Tensor& /*x*/,
                                    std::span<const std::int64_t> /*indices*/,
                                    const Dataset& /*dataset*/) override {
    return {};
  }
  [[nodiscard]] std::int64_t itemsPerPass() const override {
    return std::numeric_limits<std::int64_t>::max();
  }
  [[nodiscard]] Expected<Items> prepare(const at::Tensor& x, std::span<const std::int64_t> indices,
                                        const Dataset& dataset) override {
    auto outputs = head_.run(x, indices, dataset);
    if (!outputs) {
      return failWith(outputs);
    }
    return Items{std::move(outputs->logits), {gaussians_.inBasis(outputs->features)}};
  }
  [[nodiscard]] std::int64_t rowsPerCall() const override { return gaussians_.rowsPerCall(); }
  [[nodiscard]] LogitGaussians gaussians(const Items& items, std::int64_t begin,
                                         std::int64_t end) const override {
    return gaussians_.of(items.covariance_inputs.at(0).slice(0, begin, end),
                         items.logits.slice(0, begin, end));
  }

 private:
  HeadNetwork head_;
  LastLayerGaussians gaussians_;
};

/// All layers, by linearising the network around its weights (theory, section 5).
/// Items::covariance_inputs contains each layer's inputs [B, D, L] and the gradients [B, K, O, L]
/// of every logit.
class AllLayersNetwork : public PosteriorNetwork {
 public:
  AllLayersNetwork(TappedNetwork network, std::int64_t classes, const LaplacePosterior& posterior,
                   const LaplaceScale& scale, std::int64_t memory_budget_bytes)
      : network_(std::move(network)), classes_(classes), memory_budget_bytes_(memory_budget_bytes) {
    for (const LayerPosterior& layer : posterior.layers) {
      layers_.emplace_back(layer, posterior.structure, at::kFloat);
      outputs_.push_back(layer.outputs);
    }
    setScale(scale);
  }

  void setScale(const LaplaceScale& scale) override {
    for (LayerCovariance& layer : layers_) {
      layer.setScale(scale);
    }
  }
  [[nodiscard]] Status measureSizes(const at::Tensor& x, std::span<const std::int64_t> indices,
                                    const Dataset& dataset) override;
  [[nodiscard]] std::int64_t itemsPerPass() const override { return items_together_; }
  [[nodiscard]] Expected<Items> prepare(const at::Tensor& x, std::span<const std::int64_t> indices,
                                        const Dataset& dataset) override;
  [[nodiscard]] std::int64_t rowsPerCall() const override { return rows_together_; }
  [[nodiscard]] LogitGaussians gaussians(const Items& items, std::int64_t begin,
                                         std::int64_t end) const override;

 private:
  TappedNetwork network_;
  std::int64_t classes_;
  std::int64_t memory_budget_bytes_;
  std::vector<LayerCovariance> layers_;
  std::vector<std::int64_t> outputs_;  ///< per layer
  std::int64_t items_together_ = 0;    ///< 0: not known before the first pass
  std::int64_t rows_together_ = 1;
};

// About the size of caches, and small enough for memory to be reused.
constexpr std::int64_t kMaxPosteriorBytes = std::int64_t{16} << 20;

Status AllLayersNetwork::measureSizes(const at::Tensor& x, std::span<const std::int64_t> indices,
                                      const Dataset& dataset) {
  if (items_together_ > 0) {
    return {};
  }
  const auto pass = network_.run(x.slice(0, 0, 1), indices.first(1), dataset);
  if (!pass) {
    return failWith(pass);
  }
  // Bytes that prepare() keeps per item: logits, inputs, and each logit's gradients.
  auto bytes = classes_ * static_cast<std::int64_t>(sizeof(float));
  std::int64_t largest = 1;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const at::Tensor& inputs = pass->inputs[i];
    bytes += static_cast<std::int64_t>(inputs.nbytes()) +
             classes_ * static_cast<std::int64_t>(pass->outputs[i].nbytes());
    if (inputs.size(2) > 1) {
      largest = std::max(largest, classes_ * outputs_[i] * inputs.size(1));
    }
  }
  items_together_ = std::max<std::int64_t>(1, kMaxPosteriorBytes / bytes);
  rows_together_ = std::max<std::int64_t>(
      1, kMaxPosteriorBytes / (largest * static_cast<std::int64_t>(sizeof(float))));
  return {};
}

/// Peak bytes of the items of `pass` when they are linearised, in addition to the pass itself.
std::int64_t linearisedBytes(const TappedNetwork::Pass& pass, std::int64_t classes) {
  const std::int64_t items = pass.logits.size(0);
  std::int64_t kept = 0;
  std::int64_t outputs = 0;
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < pass.outputs.size(); ++i) {
    const auto of_inputs = static_cast<std::int64_t>(pass.inputs[i].nbytes());
    const auto of_outputs = static_cast<std::int64_t>(pass.outputs[i].nbytes());
    kept += of_inputs + classes * of_outputs;
    outputs += of_outputs;
    // Inputs and gradients in the eigenbases of the layer's factors, and their product, the
    // Jacobian.
    largest = std::max(largest, 2 * of_inputs + classes * of_outputs +
                                    items * LayerCovariance::jacobianBytes(
                                                classes, pass.outputs[i].size(1),
                                                pass.inputs[i].size(1), pass.inputs[i].size(2)));
  }
  // One set of gradients exists in addition to those kept.
  return kept + std::max(2 * outputs, largest);
}

Expected<PosteriorNetwork::Items> AllLayersNetwork::prepare(const at::Tensor& x,
                                                            std::span<const std::int64_t> indices,
                                                            const Dataset& dataset) {
  const auto pass = network_.run(x, indices, dataset);
  if (!pass) {
    return failWith(pass);
  }
  if (Status enough = checkLinearisedMemory(linearisedBytes(*pass, classes_), pass->logits.size(0),
                                            classes_, memory_budget_bytes_);
      !enough) {
    return failWith(enough);
  }
  const at::NoGradGuard no_gradients;
  // Written in place: stacking would duplicate the gradients of all logits.
  std::vector<at::Tensor> gradients(layers_.size());
  for (std::int64_t k = 0; k < classes_; ++k) {
    at::Tensor direction = at::zeros_like(pass->logits);
    direction.select(1, k).fill_(1.0);
    const auto of_logit = network_.gradients(*pass, direction);
    if (!of_logit) {
      return failWith(of_logit);
    }
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const at::Tensor& gradient = (*of_logit)[i];
      if (k == 0) {
        gradients[i] = at::empty({gradient.size(0), classes_, gradient.size(1), gradient.size(2)},
                                 gradient.options().device(at::kCPU));
      }
      gradients[i].select(1, k).copy_(gradient);
    }
  }
  Items items{pass->logits.detach().to(at::kCPU, at::kFloat).contiguous(), {}};
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    items.covariance_inputs.push_back(pass->inputs[i].cpu());
    items.covariance_inputs.push_back(std::move(gradients[i]));
  }
  return items;
}

LogitGaussians AllLayersNetwork::gaussians(const Items& items, std::int64_t begin,
                                           std::int64_t end) const {
  const at::NoGradGuard no_gradients;
  at::Tensor covariance = at::zeros({end - begin, classes_, classes_}, at::kDouble);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    covariance.add_(layers_[i].of(items.covariance_inputs[2 * i].slice(0, begin, end),
                                  items.covariance_inputs[2 * i + 1].slice(0, begin, end)));
  }
  return {arrayOf<float>(items.logits.slice(0, begin, end)),
          FullCovariance{arrayOf<float>(covariance)}};
}

std::string sizesOf(const LaplacePosterior& posterior) {
  std::int64_t weights = 0;
  for (const LayerPosterior& layer : posterior.layers) {
    weights += layer.parameters();
  }
  return fmt::format("{} layers with {} weights", posterior.layers.size(), weights);
}

tl::unexpected<Error> otherLayers(const Model& model, const LaplacePosterior& posterior) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: the posterior has other layers ({}); fit it for this network",
                          model.path(), sizesOf(posterior)));
}

bool fits(const LayerPosterior& layer, const at::Tensor& weight, const at::Tensor& bias) {
  return layer.outputs == weight.size(0) && layer.has_bias == bias.defined() &&
         layer.inputs == weight.numel() / weight.size(0) + (bias.defined() ? 1 : 0);
}

}  // namespace

std::int64_t PosteriorNetwork::Items::bytes() const {
  std::int64_t sum = static_cast<std::int64_t>(logits.nbytes());
  for (const at::Tensor& tensor : covariance_inputs) {
    sum += static_cast<std::int64_t>(tensor.nbytes());
  }
  return sum;
}

Status checkSameLayers(const Model& model, const LaplacePosterior& posterior,
                       const WeightedLayers& layers) {
  const bool same = std::ranges::equal(posterior.layers, layers.layers,
                                       [](const LayerPosterior& layer, const LayerNode& node) {
                                         return fits(layer, node.weight_values, node.bias_values);
                                       });
  return same ? Status() : Status(otherLayers(model, posterior));
}

Expected<std::unique_ptr<PosteriorNetwork>> makePosteriorNetwork(const Model& model,
                                                                 const NetworkOnDevice& network,
                                                                 const LaplacePosterior& posterior,
                                                                 const LaplaceScale& scale,
                                                                 std::int64_t memory_budget_bytes) {
  if (!posterior.all_layers) {
    auto head = HeadNetwork::of(model, network);
    if (!head) {
      return failWith(head);
    }
    if (posterior.layers.size() != 1 || !fits(posterior.layers[0], head->weight(), head->bias())) {
      return otherLayers(model, posterior);
    }
    return std::make_unique<LastLayerNetwork>(*std::move(head), posterior, scale);
  }
  auto tapped = TappedNetwork::of(model, network);
  if (!tapped) {
    return failWith(tapped);
  }
  if (Status same = checkSameLayers(model, posterior, tapped->weighted()); !same) {
    return failWith(same);
  }
  return std::make_unique<AllLayersNetwork>(*std::move(tapped), model.audit().classes, posterior,
                                            scale, memory_budget_bytes);
}

Status checkLinearisedMemory(std::int64_t bytes, std::int64_t items, std::int64_t classes,
                             std::int64_t memory_budget_bytes) {
  const std::int64_t available =
      memory_budget_bytes > 0 ? memory_budget_bytes : queryDevices().memory_bytes;
  if (available <= 0 || bytes <= available) {
    return {};
  }
  return fail(ErrorCode::kOutOfMemory,
              fmt::format("the gradients of {} logits of {} item(s) with respect to all layers "
                          "take {}, but only {} are available; draw weights instead, use "
                          "the last layer, or allow more memory",
                          classes, items, bytesText(static_cast<double>(bytes)),
                          bytesText(static_cast<double>(available))),
              {setting("predictive", "sampled"), setting("layers", "last"), setting("memory")});
}

Expected<std::int64_t> linearisedItemBytes(const Model& model, const NetworkOnDevice& network,
                                           const Dataset& dataset, const RunContext& context) {
  const auto tapped = TappedNetwork::of(model, withCopiedState(model, network));
  if (!tapped) {
    return failWith(tapped);
  }
  const auto first = firstReadable(dataset, context);
  if (!first) {
    return failWith(first);
  }
  if (*first == dataset.size()) {
    return 0;
  }
  const std::array<std::int64_t, 1> indices{*first};
  const auto batch = loadBatch(dataset, indices, model.metadata().preprocessing, context);
  if (!batch) {
    return failWith(batch);
  }
  if (batch->indices.empty()) {
    return 0;
  }
  const TensorMemoryMeter meter;
  const auto pass = tapped->run(networkInput(*batch, model), batch->indices, dataset);
  if (!pass) {
    return failWith(pass);
  }
  // The pass itself stays in memory while it is differentiated.
  return meter.peakBytes() + linearisedBytes(*pass, model.audit().classes);
}

}  // namespace dubito
