// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/first_layer_torch.h"
#include "core/models/graph_torch.h"
#include "core/models/layer_nodes_torch.h"

namespace dubito {
namespace {

at::Tensor weightOf(const torch::jit::Module& module, torch::jit::Node* node) {
  // Whatever a linear layer was exported as: one operator, a product, a product of packed weights.
  if (const auto linear = linearLayer(module, node); linear && linear->weight_values.defined()) {
    return linear->weight_values;
  }
  if (opOf(node).starts_with("quantized::linear")) {
    return unpackQuantised(module, node->input(1)).weight;
  }
  if (!isWeightedLayer(node) || !inputNamed(node, "weight")) {
    return {};
  }
  const auto value = resolveValue(module, node->input(*inputNamed(node, "weight")));
  return value && value->isTensor() ? value->toTensor() : at::Tensor();
}

}  // namespace

at::Tensor firstWeight(const torch::jit::Module& module, torch::jit::Graph& graph) {
  at::Tensor weight;
  eachNode(graph.block(), [&](torch::jit::Node* node) {
    if (!weight.defined()) {
      weight = weightOf(module, node);
    }
  });
  return weight;
}

}  // namespace dubito
