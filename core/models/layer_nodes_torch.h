// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dubito {

/// An input of a node.
struct NodeInput {
  torch::jit::Node* node = nullptr;
  std::size_t position = 0;
};

/// A linear layer of a graph, or a two-dimensional convolution with one group, whose weights do not
/// change while the graph runs.
struct LayerNode {
  std::string name;    ///< of the module that holds its weights: "features.3"
  NodeInput features;  ///< the layer's input
  NodeInput weight;    ///< [O, ...]; [D, O] if `weight_is_transposed`
  NodeInput bias;      ///< node is nullptr if there is none
  bool weight_is_transposed = false;
  torch::jit::Value* output = nullptr;
  at::Tensor weight_values;  ///< [O, D] or [O, C, height, width]; undefined if computed
  at::Tensor bias_values;    ///< [O]; undefined if none
  bool quantised = false;
  bool is_convolution = false;
  std::vector<std::int64_t> stride;  ///< [rows, columns] of a convolution, like the next two
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> dilation;
};

/// Weight [K, Q] and bias of a packed quantised layer, as floats.
struct UnpackedLinear {
  at::Tensor weight;  ///< undefined if the value is not packed parameters
  at::Tensor bias;    ///< undefined if none
};
[[nodiscard]] UnpackedLinear unpackQuantised(const torch::jit::Module& module,
                                             const torch::jit::Value* packed);

/// The linear layer that ends in `node`: a product, or the addition of a bias to one. Nothing for
/// other nodes; a layer with undefined weights if they are computed.
[[nodiscard]] std::optional<LayerNode> linearLayer(const torch::jit::Module& module,
                                                   torch::jit::Node* node);

/// The layers of a graph with respect to whose weights a network can be differentiated, in
/// execution order.
struct WeightedLayers {
  std::shared_ptr<torch::jit::Graph> graph;  ///< owns the nodes of the layers
  std::vector<LayerNode> layers;
  /// Other nodes with weights, and why they are left out: "layer4.0.bn1 (normalisation)".
  std::vector<std::string> left_out;
};
/// Leaves out layers of buffers, such as a fixed blur, which were not trained, and layers whose
/// weights are used elsewhere too, which have no separate curvature.
[[nodiscard]] WeightedLayers weightedLayers(torch::jit::Graph& graph,
                                            const torch::jit::Module& module);

/// Weights [out, in, ...] of the first layer whose weights are known before the graph runs;
/// quantised ones as floats. Undefined if there is none.
[[nodiscard]] at::Tensor firstLayerWeight(const torch::jit::Module& module,
                                          torch::jit::Graph& graph);

}  // namespace dubito
