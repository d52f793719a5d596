// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/dequantize.h>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

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

/// The integers of a constant list of two, or of one that stands for both; empty otherwise.
std::vector<std::int64_t> constantPair(const Value* value) {
  std::vector<std::int64_t> pair;
  for (const std::optional<std::int64_t>& number : integersOf(value)) {
    if (!number) {
      return {};
    }
    pair.push_back(*number);
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
  const std::string op = opName(node);
  return op == "aten::matmul" || op == "aten::mm";
}

bool isOne(const Value* value) {
  const auto constant = torch::jit::toIValue(value);
  return constant && constant->isScalar() && constant->toScalar().toDouble() == 1.0;
}

/// a + b, unscaled.
bool isAddition(const Node* node) {
  const std::string op = opName(node);
  return (op == "aten::add" || op == "aten::add_") && node->inputs().size() == 3 &&
         isOne(node->input(2));
}

}  // namespace

std::optional<LayerNode> convolutionLayer(const Module& module, Node* node) {
  const std::string op = opName(node);
  if (op != "aten::conv2d" && op != "aten::_convolution") {
    return std::nullopt;
  }
  if (op == "aten::_convolution") {
    const auto transposed =
        torch::jit::toIValue(node->input(inputIndex(node, "transposed").value()));
    if (!transposed || !transposed->isBool() || transposed->toBool()) {
      return std::nullopt;
    }
  }
  const auto groups = torch::jit::toIValue(node->input(inputIndex(node, "groups").value()));
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

namespace {

/// Whether the term added to a product is its bias, and nothing else uses the product.
bool isBiasOf(const LayerNode& layer) {
  return layer.bias_values.defined() && layer.bias_values.dim() == 1 &&
         layer.bias_values.size(0) == layer.weight_values.size(0) &&
         layer.weight.node->output()->uses().size() == 1;
}

/// The tensors that a node reads, including those in lists (the weights of an LSTM), with their
/// origin.
struct TakenTensor {
  const Value* value;
  at::Tensor tensor;
};
std::vector<TakenTensor> tensorsInto(const Module& module, const Node* node) {
  std::vector<TakenTensor> taken;
  const auto add = [&](const Value* value) {
    if (at::Tensor tensor = resolveTensor(module, value); tensor.defined()) {
      taken.push_back({value, std::move(tensor)});
    }
  };
  for (const Value* input : node->inputs()) {
    if (input->node()->kind() == c10::prim::ListConstruct) {
      std::ranges::for_each(input->node()->inputs(), add);
    } else if (const auto list = torch::jit::toIValue(input); list && list->isTensorList()) {
      for (const at::Tensor& tensor : list->toTensorVector()) {
        taken.push_back({input, tensor});
      }
    } else {
      add(input);
    }
  }
  return taken;
}

/// The value before transposition and flattening.
const Value* asStored(const Value* value) {
  while (isReshapedWeight(value->node())) {
    value = value->node()->input(0);
  }
  return value;
}

/// Whether a value is a tensor of the network that is not a parameter, so was not trained.
bool isBuffer(const Module& module, const Value* value) {
  const auto path = attributePath(asStored(value));
  if (!path) {
    return false;
  }
  const std::size_t dot = path->rfind('.');
  c10::IValue owner = module._ivalue();
  for (std::size_t begin = 0; dot != std::string::npos && begin < dot;) {
    const std::size_t end = std::min(path->find('.', begin), dot);
    owner = owner.toObject()->getAttr(path->substr(begin, end - begin));
    begin = end + 1;
  }
  const auto type = owner.toObject()->type();
  const auto slot =
      type->findAttributeSlot(dot == std::string::npos ? *path : path->substr(dot + 1));
  return slot && type->getAttribute(*slot)->isSubtypeOf(*c10::TensorType::get()) &&
         !type->is_parameter(*slot);
}

/// The weights of a node that is not a usable layer.
struct LeftOut {
  std::string reason;  ///< empty for nodes without weights
  std::vector<at::Tensor> weights;
};
LeftOut weightsOf(const Module& module, bool is_frozen, const Node* node) {
  const std::string op = opName(node);
  // Transposed and flattened weights are used elsewhere.
  if ((!op.starts_with("aten::") && !op.starts_with("quantized::")) || isReshapedWeight(node)) {
    return {};
  }
  const bool is_norm = op.find("norm") != std::string::npos;
  LeftOut left_out;
  for (const TakenTensor& taken : tensorsInto(module, node)) {
    const at::Tensor& weights = taken.tensor;
    const bool belongs = is_frozen || is_norm || isWeightedLayer(node) ||
                         attributePath(asStored(taken.value)).has_value();
    if (weights.is_floating_point() && weights.dim() > 0 && belongs) {
      left_out.weights.push_back(weights);
    }
  }
  if (!left_out.weights.empty() || op.starts_with("quantized::linear") ||
      op.starts_with("quantized::conv")) {
    left_out.reason = is_norm ? "normalisation" : op;
  }
  return left_out;
}

/// layerName, also for nodes whose weights are transposed, flattened or in a list.
std::string nameOf(const Node* node) {
  for (const Value* input : node->inputs()) {
    const Node* const maker = input->node();
    const bool hands_on = maker->kind() == c10::prim::ListConstruct || isReshapedWeight(maker);
    if (hands_on && !maker->inputs().empty() && attributePath(maker->input(0))) {
      return layerName(maker);
    }
  }
  return layerName(node);
}

/// The first and the last byte of a tensor.
std::pair<const char*, const char*> reachOf(const at::Tensor& tensor) {
  std::int64_t last = 0;
  for (std::int64_t axis = 0; axis < tensor.dim(); ++axis) {
    last += (tensor.size(axis) - 1) * tensor.stride(axis);
  }
  const auto* const first = static_cast<const char*>(tensor.const_data_ptr());
  return {first, first + (last + 1) * static_cast<std::int64_t>(tensor.element_size())};
}

/// Whether two tensors overlap in memory: one weight used in two places.
bool overlap(const at::Tensor& a, const at::Tensor& b) {
  if (!a.defined() || !b.defined() || a.numel() == 0 || b.numel() == 0) {
    return false;
  }
  const auto [a_first, a_end] = reachOf(a);
  const auto [b_first, b_end] = reachOf(b);
  return std::less<>()(a_first, b_end) && std::less<>()(b_first, a_end);
}

at::Tensor weightOf(const Module& module, Node* node) {
  // Covers all exported forms of a linear layer: one operator, a product, a product of packed
  // weights.
  if (const auto linear = linearLayer(module, node); linear && linear->weight_values.defined()) {
    return linear->weight_values;
  }
  if (opName(node).starts_with("quantized::linear")) {
    return unpackQuantised(module, node->input(1)).weight;
  }
  if (!isWeightedLayer(node) || !inputIndex(node, "weight")) {
    return {};
  }
  const auto value = resolveValue(module, node->input(*inputIndex(node, "weight")));
  return value && value->isTensor() ? value->toTensor() : at::Tensor();
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
  const std::string op = opName(node);
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
  constexpr const char* kFixed = "a buffer, not a parameter";
  WeightedLayers found;
  found.graph = graph.shared_from_this();
  std::unordered_map<const Node*, std::string> left_out;
  std::vector<const Node*> order;
  std::vector<at::Tensor> weights_left_out;
  const auto leaveOut = [&](const Node* node, const std::string& reason) {
    if (left_out.emplace(node, fmt::format("{} ({})", nameOf(node), reason)).second) {
      order.push_back(node);
    }
  };
  const auto isFixed = [&](const NodeInput& input) {
    return input.node != nullptr && isBuffer(module, input.node->input(input.position));
  };
  // Freezing turns weights into constants like any others.
  const bool is_frozen = module.parameters().size() == 0;
  forEachNode(graph.block(), [&](Node* node) {
    auto layer = linearLayer(module, node);
    if (!layer) {
      layer = convolutionLayer(module, node);
    }
    const bool usable = layer && layer->weight_values.defined() &&
                        layer->weight_values.is_floating_point() && !layer->quantised &&
                        (layer->is_convolution || layer->weight_values.dim() == 2);
    if (!usable) {
      const LeftOut unusable = weightsOf(module, is_frozen, node);
      if (!unusable.reason.empty()) {
        leaveOut(node, unusable.reason);
      }
      weights_left_out.insert(weights_left_out.end(), unusable.weights.begin(),
                              unusable.weights.end());
      return;
    }
    const bool adds = node != layer->weight.node;
    if (adds && !isBiasOf(*layer)) {
      // The product alone is already a layer.
      if (layer->bias_values.defined()) {
        leaveOut(node, "added, but not as a bias");
      }
      return;
    }
    if (isFixed(layer->weight) || isFixed(layer->bias)) {
      // For an addition, the product has already been left out, or is a layer.
      if (!adds || !isFixed(layer->weight)) {
        leaveOut(node, kFixed);
      }
      return;
    }
    if (node->owningBlock() != graph.block()) {
      leaveOut(node, "in a branch or a loop");
      weights_left_out.push_back(layer->weight_values);
      return;
    }
    if (adds) {
      std::erase_if(found.layers, [&](const LayerNode& product) {
        return product.weight.node == layer->weight.node;
      });
    }
    found.layers.push_back(*std::move(layer));
  });
  // Weights used in two places have one posterior, not two.
  std::vector<bool> shared(found.layers.size());
  for (std::size_t i = 0; i < found.layers.size(); ++i) {
    const at::Tensor& weight = found.layers[i].weight_values;
    bool is_named = false;
    for (std::size_t j = 0; j < found.layers.size(); ++j) {
      if (i != j && overlap(weight, found.layers[j].weight_values)) {
        shared[i] = true;
        is_named = is_named || j < i;
      }
    }
    shared[i] = shared[i] || std::ranges::any_of(weights_left_out, [&](const at::Tensor& other) {
                  return overlap(weight, other);
                });
    if (shared[i] && !is_named) {
      leaveOut(found.layers[i].weight.node, "used more than once");
    }
  }
  std::size_t number = 0;
  std::erase_if(found.layers, [&](const LayerNode&) { return shared[number++]; });
  for (const Node* node : order) {
    found.left_out.push_back(left_out.at(node));
  }
  return found;
}

at::Tensor firstLayerWeight(const Module& module, torch::jit::Graph& graph) {
  at::Tensor weight;
  forEachNode(graph.block(), [&](Node* node) {
    if (!weight.defined()) {
      weight = weightOf(module, node);
    }
  });
  return weight;
}

}  // namespace dubito
