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

/// Where a node takes a value.
struct NodeInput {
  torch::jit::Node* node = nullptr;
  std::size_t position = 0;
};

/// A linear layer of a graph, or a two-dimensional convolution in one group, whose weights do not
/// change while the graph runs.
struct LayerNode {
  std::string name;    ///< of the module that holds its weights: "features.3"
  NodeInput features;  ///< what goes into it
  NodeInput weight;    ///< [O, ...]; where `weight_is_transposed` the node takes [D, O]
  NodeInput bias;      ///< of no node where it has none
  bool weight_is_transposed = false;
  torch::jit::Value* output = nullptr;
  at::Tensor weight_values;  ///< [O, D] or [O, C, height, width]; undefined where it is computed
  at::Tensor bias_values;    ///< [O]; undefined without one
  bool quantised = false;
  bool is_convolution = false;
  std::vector<std::int64_t> stride;  ///< the three of a convolution, for rows and columns
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> dilation;
};

/// Weight [K, Q] and bias of a packed quantised layer, as floats.
struct UnpackedLinear {
  at::Tensor weight;  ///< undefined where the value is not packed parameters
  at::Tensor bias;    ///< undefined without one
};
[[nodiscard]] UnpackedLinear unpackQuantised(const torch::jit::Module& module,
                                             const torch::jit::Value* packed);

/// The linear layer that `node` ends: a product, or the addition of a bias to one. Nothing for
/// other nodes; a layer with undefined weights where those are computed.
[[nodiscard]] std::optional<LayerNode> linearLayer(const torch::jit::Module& module,
                                                   torch::jit::Node* node);

/// The layers of a graph by which a network can be differentiated, in execution order.
struct WeightedLayers {
  std::shared_ptr<torch::jit::Graph> graph;  ///< whose nodes the layers point at
  std::vector<LayerNode> layers;
  /// What else holds weights, with the reason: "layer4.0.bn1 (normalisation)".
  std::vector<std::string> left_out;
};
/// A layer of buffers, as a fixed blur is, has nothing that was trained; one whose weights work
/// elsewhere too has no curvature of its own: both are left out.
[[nodiscard]] WeightedLayers weightedLayers(torch::jit::Graph& graph,
                                            const torch::jit::Module& module);

}  // namespace dubito
