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
  std::vector<std::int64_t> stride;  ///< [rows, columns] of a convolution, as are the next two
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

/// The linear layer that ends in `node`: a product, or the addition of a bias to one. nullopt for
/// other nodes. If the weights are computed at run time, weight_values is undefined.
[[nodiscard]] std::optional<LayerNode> linearLayer(const torch::jit::Module& module,
                                                   torch::jit::Node* node);

/// Reads `node` as a two-dimensional convolution with one group and stored weights; nullopt for
/// other nodes.
[[nodiscard]] std::optional<LayerNode> convolutionLayer(const torch::jit::Module& module,
                                                        torch::jit::Node* node);

/// The layers of a graph for which the derivatives with respect to the weights can be computed, in
/// execution order.
struct WeightedLayers {
  std::shared_ptr<torch::jit::Graph> graph;  ///< owns the nodes of the layers
  std::vector<LayerNode> layers;
  /// Other nodes with weights, and why they are left out: "layer4.0.bn1 (normalisation)".
  std::vector<std::string> left_out;
};
/// Finds the layers of a graph. Leaves out layers whose weights are buffers, such as a fixed blur,
/// because they were not trained, and layers whose weights are used more than once, because these
/// have no separate curvature.
[[nodiscard]] WeightedLayers weightedLayers(torch::jit::Graph& graph,
                                            const torch::jit::Module& module);

/// Weights [out, in, ...] of the first layer whose weights are not computed at run time; quantised
/// ones are converted to floats. Undefined if there is no such layer.
[[nodiscard]] at::Tensor firstLayerWeight(const torch::jit::Module& module,
                                          torch::jit::Graph& graph);

}  // namespace dubito
