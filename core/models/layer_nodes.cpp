// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/dequantize.h>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <unordered_map>

#include "core/models/graph_torch.h"
#include "core/models/layer_nodes_torch.h"

namespace dubito {

using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;

namespace {

at::Tensor resolveTensor(const Module& module, const Value* value) {
  const auto resolved = resolveValue(module, value);
  return resolved && resolved->isTensor() ? resolved->toTensor() : at::Tensor();
}

/// The integers of a constant list of two, or of one that counts for both; empty for others.
std::vector<std::int64_t> constantPair(const Value* value) {
  std::vector<std::int64_t> pair;
  if (const auto constant = torch::jit::toIValue(value); constant && constant->isIntList()) {
    pair = constant->toIntVector();
  } else if (value->node()->kind() == c10::prim::ListConstruct) {
    for (const Value* element : value->node()->inputs()) {
      const auto number = torch::jit::toIValue(element);
      if (!number || !number->isInt()) {
        return {};
      }
      pair.push_back(number->toInt());
    }
  }
  if (pair.size() == 1) {
    pair.push_back(pair[0]);
  }
  return pair.size() == 2 ? pair : std::vector<std::int64_t>();
}

LayerNode productOf(const Module& module, Node* node, std::size_t features, std::size_t weight) {
  LayerNode layer;
  layer.name = layerName(node);
  layer.features = {node, features};
  layer.weight = {node, weight};
  layer.output = node->output();
  layer.weight_values = resolveTensor(module, node->input(weight));
  return layer;
}

void setBias(const Module& module, Node* node, std::size_t position, LayerNode& layer) {
  layer.bias = {node, position};
  layer.bias_values = resolveTensor(module, node->input(position));
}

void transpose(LayerNode& layer) {
  layer.weight_is_transposed = true;
  layer.weight_values = layer.weight_values.defined() && layer.weight_values.dim() == 2
                            ? layer.weight_values.t()
                            : at::Tensor();
}

bool isProduct(const Node* node) {
  const std::string op = opOf(node);
  return op == "aten::matmul" || op == "aten::mm";
}

bool isOne(const Value* value) {
  const auto constant = torch::jit::toIValue(value);
  return constant && constant->isScalar() && constant->toScalar().toDouble() == 1.0;
}

/// a + b, unscaled.
bool isAddition(const Node* node) {
  const std::string op = opOf(node);
  return (op == "aten::add" || op == "aten::add_") && node->inputs().size() == 3 &&
         isOne(node->input(2));
}

/// The plain two-dimensional convolution that `node` is; nothing for others.
std::optional<LayerNode> convolution(const Module& module, Node* node) {
  const std::string op = opOf(node);
  if (op != "aten::conv2d" && op != "aten::_convolution") {
    return std::nullopt;
  }
  if (op == "aten::_convolution") {
    const auto transposed =
        torch::jit::toIValue(node->input(inputNamed(node, "transposed").value()));
    if (!transposed || !transposed->isBool() || transposed->toBool()) {
      return std::nullopt;
    }
  }
  const auto groups = torch::jit::toIValue(node->input(inputNamed(node, "groups").value()));
  LayerNode layer = productOf(module, node, 0, 1);
  setBias(module, node, 2, layer);
  layer.is_convolution = true;
  layer.stride = constantPair(node->input(3));
  layer.padding = constantPair(node->input(4));
  layer.dilation = constantPair(node->input(5));
  const bool understood = groups && groups->isInt() && groups->toInt() == 1 &&
                          layer.weight_values.defined() && layer.weight_values.dim() == 4 &&
                          !layer.stride.empty() && !layer.padding.empty() &&
                          !layer.dilation.empty();
  return understood ? std::optional<LayerNode>(std::move(layer)) : std::nullopt;
}

/// Whether what is added to a product is its bias, and nothing else sees the product.
bool isBiasOf(const LayerNode& layer) {
  return layer.bias_values.defined() && layer.bias_values.dim() == 1 &&
         layer.bias_values.size(0) == layer.weight_values.size(0) &&
         layer.weight.node->output()->uses().size() == 1;
}

/// Why a node with weights is left out; empty for nodes without.
std::string weightsOf(const Module& module, const Node* node) {
  const std::string op = opOf(node);
  const bool is_norm = op.find("norm") != std::string::npos;
  if (!op.starts_with("aten::") && !op.starts_with("quantized::")) {
    return {};
  }
  for (const Value* input : node->inputs()) {
    const at::Tensor weights = resolveTensor(module, input);
    const bool counts = weights.defined() && weights.is_floating_point() && weights.dim() > 0 &&
                        (attributePath(input) || isWeightedLayer(node) || is_norm);
    if (counts || op.starts_with("quantized::linear") || op.starts_with("quantized::conv")) {
      return is_norm ? "normalisation" : op;
    }
  }
  return {};
}

}  // namespace

UnpackedLinear unpackQuantised(const Module& module, const Value* packed) {
  const auto parameters = resolveValue(module, packed);
  const auto op = c10::Dispatcher::singleton().findSchema({"quantized::linear_unpack", ""});
  if (!parameters || !parameters->isObject() || !op) {
    return {};
  }
  torch::jit::Stack stack = {*parameters};
  op->callBoxed(stack);
  UnpackedLinear unpacked;
  unpacked.weight = at::dequantize(stack.at(0).toTensor());
  if (stack.at(1).isTensor()) {
    unpacked.bias = stack.at(1).toTensor();
  }
  return unpacked;
}

std::optional<LayerNode> linearLayer(const Module& module, Node* node) {
  const std::string op = opOf(node);
  if (op == "aten::linear") {
    LayerNode layer = productOf(module, node, 0, 1);
    setBias(module, node, 2, layer);
    return layer;
  }
  if (op == "aten::addmm" && isOne(node->input(3)) && isOne(node->input(4))) {
    LayerNode layer = productOf(module, node, 1, 2);
    transpose(layer);
    setBias(module, node, 0, layer);
    return layer;
  }
  if (isProduct(node)) {
    LayerNode layer = productOf(module, node, 0, 1);
    transpose(layer);
    return layer;
  }
  if (isAddition(node) && isProduct(node->input(0)->node())) {
    auto layer = linearLayer(module, node->input(0)->node());
    setBias(module, node, 1, *layer);
    layer->output = node->output();
    return layer;
  }
  if (op == "quantized::linear_dynamic") {
    LayerNode layer = productOf(module, node, 0, 1);
    const UnpackedLinear unpacked = unpackQuantised(module, node->input(1));
    layer.quantised = true;
    layer.weight_values = unpacked.weight;
    layer.bias_values = unpacked.bias;
    return layer;
  }
  return std::nullopt;
}

WeightedLayers weightedLayers(torch::jit::Graph& graph, const Module& module) {
  WeightedLayers found;
  std::unordered_map<const Node*, std::string> left_out;
  std::vector<const Node*> order;
  const auto leaveOut = [&](const Node* node, const std::string& reason) {
    if (left_out.emplace(node, fmt::format("{} ({})", layerName(node), reason)).second) {
      order.push_back(node);
    }
  };
  eachNode(graph.block(), [&](Node* node) {
    auto layer = linearLayer(module, node);
    if (!layer) {
      layer = convolution(module, node);
    }
    const bool usable = layer && layer->weight_values.defined() &&
                        layer->weight_values.is_floating_point() && !layer->quantised &&
                        (layer->is_convolution || layer->weight_values.dim() == 2);
    if (!usable) {
      if (const std::string reason = weightsOf(module, node); !reason.empty()) {
        leaveOut(node, reason);
      }
      return;
    }
    const bool adds = node != layer->weight.node;
    if (adds && !isBiasOf(*layer)) {
      // The product alone is a layer already.
      if (layer->bias_values.defined()) {
        leaveOut(node, "added, but not as a bias");
      }
      return;
    }
    if (node->owningBlock() != graph.block()) {
      leaveOut(node, "in a branch or a loop");
      return;
    }
    if (adds) {
      std::erase_if(found.layers, [&](const LayerNode& product) {
        return product.weight.node == layer->weight.node;
      });
    }
    found.layers.push_back(*std::move(layer));
  });
  // Weights that work in two places have one posterior, not two.
  for (std::size_t i = 0; i < found.layers.size(); ++i) {
    const auto usesSame = [&](const LayerNode& other) {
      return other.weight_values.data_ptr() == found.layers[i].weight_values.data_ptr();
    };
    if (std::ranges::count_if(found.layers, usesSame) > 1) {
      const at::Tensor weight = found.layers[i].weight_values;
      leaveOut(found.layers[i].weight.node, "used more than once");
      std::erase_if(found.layers, [&](const LayerNode& other) {
        return other.weight_values.data_ptr() == weight.data_ptr();
      });
      --i;
    }
  }
  for (const Node* node : order) {
    found.left_out.push_back(left_out.at(node));
  }
  return found;
}

}  // namespace dubito
