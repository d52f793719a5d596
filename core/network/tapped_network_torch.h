// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/models/layer_nodes_torch.h"
#include "core/network/network_on_device_torch.h"

namespace dubito {

/// A network in inference mode that exposes the inputs of each layer and the gradients of its
/// logits with respect to each layer's outputs. Thread-safe.
class TappedNetwork {
 public:
  /// kUnsupported, with the reason, if no layer can be used, the head was not found, or items
  /// depend on others in their batch. `model` must outlive the object.
  [[nodiscard]] static Expected<TappedNetwork> of(const Model& model,
                                                  const NetworkOnDevice& network);

  /// In execution order.
  [[nodiscard]] const std::vector<LayerNode>& layers() const { return layers_.layers; }
  [[nodiscard]] const WeightedLayers& weighted() const { return layers_; }
  /// Layers that get no posterior, so that their weights are treated as certain; each with the
  /// reason.
  [[nodiscard]] const std::vector<std::string>& leftOut() const { return layers_.left_out; }

  /// Results for one batch. The gradient graph lives as long as the object.
  struct Pass {
    at::Tensor logits;  ///< [B, K], on the device
    /// Per layer [B, D, L]: patches unfolded, without the constant 1 for the bias.
    std::vector<at::Tensor> inputs;
    std::vector<at::Tensor> outputs;  ///< per layer, in the shape used by the network
  };
  /// `x`: the inputs of the items at `indices` (networkInput), on the CPU or the device. Errors
  /// name the item, as in checkedProbabilities. kUnsupported if a layer mixes the items of a batch,
  /// or if the network's probabilities are not the softmax of its last linear layer.
  [[nodiscard]] Expected<Pass> run(const at::Tensor& x, std::span<const std::int64_t> indices,
                                   const Dataset& dataset) const;

  /// Gradients [B, O, L] of sum_k direction_k logit_k with respect to every layer's outputs, from
  /// one backward pass. `direction` is [B, K]. kUnsupported or kOutOfMemory if that fails.
  [[nodiscard]] Expected<std::vector<at::Tensor>> gradients(const Pass& pass,
                                                            const at::Tensor& direction) const;
  /// Layers whose outputs have not received a gradient in any pass so far, so that their weights do
  /// not seem to affect the logits.
  [[nodiscard]] std::vector<std::string> unreached() const;

 private:
  TappedNetwork(const Model& model, const NetworkOnDevice& network, WeightedLayers layers,
                const std::shared_ptr<torch::jit::Graph>& graph);

  [[nodiscard]] at::Tensor positionsLast(const LayerNode& layer, const at::Tensor& values,
                                         std::int64_t items) const;

  const Model& model_;
  NetworkOnDevice network_;
  WeightedLayers layers_;
  torch::jit::Code code_;
  std::unique_ptr<std::atomic<bool>[]> reached_;  ///< per layer
};

}  // namespace dubito
