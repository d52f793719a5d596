// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/device.h"
#include "core/inference/head_network_torch.h"
#include "core/inference/posterior_network_torch.h"
#include "core/inference/tapped_network_torch.h"
#include "core/laplace/last_layer_gaussians_torch.h"
#include "core/laplace/layer_covariance_torch.h"
#include "core/laplace/tensors_torch.h"

namespace dubito {
namespace {

class LastLayerNetwork : public PosteriorNetwork {
 public:
  LastLayerNetwork(HeadNetwork head, const LaplacePosterior& posterior, const LaplaceScale& scale)
      : head_(std::move(head)), gaussians_(posterior, scale) {}

  void setScale(const LaplaceScale& scale) override { gaussians_.setScale(scale); }
  [[nodiscard]] Status learnSizes(const Batch& /*batch*/, const Dataset& /*dataset*/) override {
    return {};
  }
  [[nodiscard]] std::int64_t itemsTogether() const override {
    return std::numeric_limits<std::int64_t>::max();
  }
  [[nodiscard]] Expected<Items> prepare(const Batch& batch, const Dataset& dataset) override {
    auto outputs = head_.run(batch, dataset);
    if (!outputs) {
      return failWith(outputs);
    }
    return Items{std::move(outputs->logits), {gaussians_.inBasis(outputs->features)}};
  }
  [[nodiscard]] std::int64_t rowsTogether() const override { return gaussians_.rowsTogether(); }
  [[nodiscard]] LogitGaussians gaussians(const Items& items, std::int64_t begin,
                                         std::int64_t end) const override {
    return gaussians_.of(items.made.at(0).slice(0, begin, end), items.logits.slice(0, begin, end));
  }

 private:
  HeadNetwork head_;
  LastLayerGaussians gaussians_;
};

/// All layers, by linearising the network around its weights (theory, section 5). Items::made holds
/// each layer's inputs [B, D, L] and the gradients [B, K, O, L] of every logit.
class AllLayersNetwork : public PosteriorNetwork {
 public:
  AllLayersNetwork(TappedNetwork network, std::int64_t classes, const LaplacePosterior& posterior,
                   const LaplaceScale& scale)
      : network_(std::move(network)), classes_(classes) {
    for (const LayerPosterior& layer : posterior.layers) {
      layers_.emplace_back(layer, posterior.structure, at::kFloat);
    }
    setScale(scale);
  }

  void setScale(const LaplaceScale& scale) override {
    for (LayerCovariance& layer : layers_) {
      layer.setScale(scale);
    }
  }
  [[nodiscard]] Status learnSizes(const Batch& batch, const Dataset& dataset) override;
  [[nodiscard]] std::int64_t itemsTogether() const override { return items_together_; }
  [[nodiscard]] Expected<Items> prepare(const Batch& batch, const Dataset& dataset) override;
  [[nodiscard]] std::int64_t rowsTogether() const override { return rows_together_; }
  [[nodiscard]] LogitGaussians gaussians(const Items& items, std::int64_t begin,
                                         std::int64_t end) const override;

 private:
  /// kOutOfMemory where the gradients of all logits cannot fit.
  [[nodiscard]] Status checkMemory(const TappedNetwork::Pass& pass) const;
  TappedNetwork network_;
  std::int64_t classes_;
  std::vector<LayerCovariance> layers_;
  std::int64_t items_together_ = 0;  ///< 0: not known before a first pass
  std::int64_t rows_together_ = 1;
};

// About what caches hold, and small enough for memory to be used again and again.
constexpr std::int64_t kMostBytes = std::int64_t{16} << 20;

Status AllLayersNetwork::learnSizes(const Batch& batch, const Dataset& dataset) {
  if (items_together_ > 0) {
    return {};
  }
  const auto items = prepare(rowsOf(batch, 0, 1), dataset);
  if (!items) {
    return failWith(items);
  }
  items_together_ = std::max<std::int64_t>(1, kMostBytes / items->bytes());
  std::int64_t largest = 1;
  for (std::size_t i = 0; i + 1 < items->made.size(); i += 2) {
    if (items->made[i].size(2) > 1) {
      largest = std::max(largest, classes_ * items->made[i + 1].size(2) * items->made[i].size(1));
    }
  }
  rows_together_ =
      std::max<std::int64_t>(1, kMostBytes / (largest * static_cast<std::int64_t>(sizeof(float))));
  return {};
}

Status AllLayersNetwork::checkMemory(const TappedNetwork::Pass& pass) const {
  std::int64_t bytes = 0;
  for (const at::Tensor& output : pass.outputs) {
    bytes += classes_ * static_cast<std::int64_t>(output.nbytes());
  }
  const std::int64_t available = queryDevices().memory_bytes;
  if (available <= 0 || bytes <= available) {
    return {};
  }
  return fail(ErrorCode::kOutOfMemory,
              fmt::format("the gradients of {} logits of {} item(s) by the outputs of all layers "
                          "take {:.1f} GB, but there are {:.1f} GB; draw weights instead "
                          "(--predictive sampled), or use the last layer (--layers last)",
                          classes_, pass.logits.size(0), static_cast<double>(bytes) / 1e9,
                          static_cast<double>(available) / 1e9));
}

Expected<PosteriorNetwork::Items> AllLayersNetwork::prepare(const Batch& batch,
                                                            const Dataset& dataset) {
  const auto pass = network_.run(batch, dataset);
  if (!pass) {
    return failWith(pass);
  }
  if (Status enough = checkMemory(*pass); !enough) {
    return failWith(enough);
  }
  std::vector<std::vector<at::Tensor>> gradients(layers_.size());
  for (std::int64_t k = 0; k < classes_; ++k) {
    at::Tensor direction = at::zeros_like(pass->logits);
    direction.select(1, k).fill_(1.0);
    auto of_logit = network_.gradients(*pass, direction);
    if (!of_logit) {
      return failWith(of_logit);
    }
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      gradients[i].push_back(std::move((*of_logit)[i]));
    }
  }
  const at::NoGradGuard no_gradients;
  Items items{pass->logits.detach().to(at::kCPU, at::kFloat).contiguous(), {}};
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    items.made.push_back(pass->inputs[i].cpu());
    items.made.push_back(at::stack(gradients[i], 1).cpu());
  }
  return items;
}

LogitGaussians AllLayersNetwork::gaussians(const Items& items, std::int64_t begin,
                                           std::int64_t end) const {
  const at::NoGradGuard no_gradients;
  at::Tensor covariance = at::zeros({end - begin, classes_, classes_}, at::kDouble);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    covariance.add_(layers_[i].of(items.made[2 * i].slice(0, begin, end),
                                  items.made[2 * i + 1].slice(0, begin, end)));
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
              fmt::format("{}: the posterior is one of other layers ({}); fit it for this network",
                          model.path(), sizesOf(posterior)));
}

bool fits(const LayerPosterior& layer, const at::Tensor& weight, const at::Tensor& bias) {
  return layer.outputs == weight.size(0) && layer.has_bias == bias.defined() &&
         layer.inputs == weight.numel() / weight.size(0) + (bias.defined() ? 1 : 0);
}

}  // namespace

std::int64_t PosteriorNetwork::Items::bytes() const {
  std::int64_t sum = static_cast<std::int64_t>(logits.nbytes());
  for (const at::Tensor& tensor : made) {
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

Batch rowsOf(const Batch& batch, std::int64_t begin, std::int64_t end) {
  Batch rows;
  std::vector<std::int64_t> shape = batch.inputs.shape();
  shape[0] = end - begin;
  const std::int64_t row = batch.inputs.rowSize();
  const float* const first = batch.inputs.data() + begin * row;
  rows.inputs = Array<float>::fromVector(shape, {first, first + (end - begin) * row});
  rows.indices = {batch.indices.begin() + begin, batch.indices.begin() + end};
  return rows;
}

Expected<std::unique_ptr<PosteriorNetwork>> makePosteriorNetwork(const Model& model,
                                                                 const NetworkOnDevice& network,
                                                                 const LaplacePosterior& posterior,
                                                                 const LaplaceScale& scale) {
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
                                            scale);
}

}  // namespace dubito
