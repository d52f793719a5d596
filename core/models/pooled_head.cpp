// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/models/graph_torch.h"
#include "core/models/head_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/layer_nodes_torch.h"
#include "core/models/prepare_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;

namespace {

constexpr std::size_t kMapAxes = 4;  // item, channel, row, column
constexpr int kMaxSteps = 64;

using Axes = std::set<std::int64_t>;

/// An axis of a map, counted from its first axis.
std::int64_t fromFront(std::int64_t axis) {
  return axis < 0 ? axis + static_cast<std::int64_t>(kMapAxes) : axis;
}

bool isTrue(const Value* value) {
  const auto constant = torch::jit::toIValue(value);
  return constant && constant->isBool() && constant->toBool();
}

/// Whether the pooling that is `node` leaves one element along `axes`.
bool poolsAll(const Node* node, const Axes& axes) {
  const std::string op = opName(node);
  if (op == "aten::adaptive_avg_pool2d" || op == "aten::adaptive_max_pool2d") {
    const auto size = integersOf(node->input(1));
    return size.size() == 2 && size[0] == 1 && size[1] == 1 &&
           std::ranges::all_of(axes, [](std::int64_t axis) { return axis >= 2; });
  }
  if (op != "aten::mean" && op != "aten::sum" && op != "aten::amax") {
    return false;
  }
  const auto dim = inputIndex(node, "dim");
  const auto keeps = inputIndex(node, "keepdim");
  if (!dim || !keeps || !isTrue(node->input(*keeps))) {
    return false;
  }
  const auto pooled = integersOf(node->input(*dim));
  return std::ranges::all_of(axes, [&](std::int64_t axis) {
    return std::ranges::any_of(pooled, [axis](const std::optional<std::int64_t>& other) {
      return other && fromFront(*other) == axis;
    });
  });
}

/// Whether `node` is x.view([..., 1, 1]), with ones along `axes`.
bool givesSizeOne(const Node* node, const Axes& axes) {
  const std::string op = opName(node);
  const auto sizes = op == "aten::view" || op == "aten::reshape"
                         ? integersOf(node->input(1))
                         : std::vector<std::optional<std::int64_t>>();
  return sizes.size() == kMapAxes && std::ranges::all_of(axes, [&](std::int64_t axis) {
           return sizes[static_cast<std::size_t>(axis)] == 1;
         });
}

/// Operators whose result has the shape of their first input.
bool keepsShape(const Node* node) {
  static constexpr std::array<const char*, 24> kKept = {
      "aten::relu",    "aten::relu_",      "aten::relu6",      "aten::hardtanh",
      "aten::clamp",   "aten::clamp_min",  "aten::clamp_max",  "aten::hardswish",
      "aten::silu",    "aten::silu_",      "aten::gelu",       "aten::hardswish_",
      "aten::sigmoid", "aten::tanh",       "aten::leaky_relu", "aten::hardsigmoid",
      "aten::elu",     "aten::hardtanh_",  "aten::clone",      "aten::contiguous",
      "aten::to",      "aten::batch_norm", "aten::dropout",    "aten::detach"};
  const std::string op = opName(node);
  return isPureDropout(node) ||
         std::ranges::any_of(kKept, [&op](const char* name) { return op == name; });
}

bool isBinary(const std::string& op) {
  static constexpr std::array<const char*, 8> kBinary = {"aten::add",  "aten::sub",  "aten::mul",
                                                         "aten::div",  "aten::add_", "aten::sub_",
                                                         "aten::mul_", "aten::div_"};
  return std::ranges::any_of(kBinary, [&op](const char* name) { return op == name; });
}

/// Whether every element along `axes` of an operand comes from the other operand: it is a number,
/// or a stored tensor without these axes.
bool hasNoExtent(const Module& module, const Value* value, const Axes& axes) {
  const auto stored = resolveValue(module, value);
  if (!stored || !stored->isTensor() || !stored->toTensor().defined()) {
    return stored && stored->isScalar();
  }
  const at::Tensor tensor = stored->toTensor();
  return tensor.dim() <= static_cast<std::int64_t>(kMapAxes) &&
         std::ranges::all_of(axes, [&](std::int64_t axis) {
           const std::int64_t own = axis - static_cast<std::int64_t>(kMapAxes) + tensor.dim();
           return own < 0 || tensor.size(own) == 1;
         });
}

/// Whether the convolution multiplies every element of its maps by the same matrix.
bool isPointwise(const LayerNode& layer) {
  using Pair = std::vector<std::int64_t>;
  return layer.weight_values.size(2) == 1 && layer.weight_values.size(3) == 1 &&
         layer.stride == Pair{1, 1} && layer.padding == Pair{0, 0};
}

/// Whether the maps `value` [N, C, rows, columns] have a single element along each of `axes`, as
/// after global pooling. False if this is not known.
bool hasSizeOne(const Module& module, Value* value, const Axes& axes, int steps_left) {
  Node* const node = value->node();
  if (steps_left == 0 || !isTensor(value)) {
    return false;
  }
  const auto inputHas = [&](std::size_t position, const Axes& wanted) {
    return hasSizeOne(module, node->input(position), wanted, steps_left - 1);
  };
  if (poolsAll(node, axes) || givesSizeOne(node, axes)) {
    return true;
  }
  if (keepsShape(node)) {
    return inputHas(0, axes);
  }
  const std::string op = opName(node);
  if (op == "aten::permute") {
    const auto order = integersOf(node->input(1));
    if (order.size() != kMapAxes ||
        !std::ranges::all_of(order, [](const auto& axis) { return axis.has_value(); })) {
      return false;
    }
    Axes before;
    for (const std::int64_t axis : axes) {
      before.insert(fromFront(*order[static_cast<std::size_t>(axis)]));
    }
    return inputHas(0, before);
  }
  if (isBinary(op)) {
    return std::ranges::all_of(std::array<std::size_t, 2>{0, 1}, [&](std::size_t position) {
      return hasNoExtent(module, node->input(position), axes) || inputHas(position, axes);
    });
  }
  const auto layer = convolutionLayer(module, node);
  return layer && isPointwise(*layer) && axes == Axes{2, 3} && inputHas(0, axes);
}

}  // namespace

void makePooledHeadLinear(Graph& graph, const Module& module) {
  Value* value = graph.outputs()[0];
  std::optional<LayerNode> layer;
  for (int step = 0; step < kMaxSteps && value != nullptr && !layer; ++step) {
    layer = convolutionLayer(module, value->node());
    value = layer ? value : beforeTail(module, value);
  }
  if (!layer || !isPointwise(*layer) || layer->features.node->owningBlock() != graph.block() ||
      !hasSizeOne(module, layer->features.node->input(0), {2, 3}, kMaxSteps)) {
    return;
  }
  Node* const convolution = layer->features.node;
  const torch::jit::WithInsertPoint here(convolution);
  const torch::jit::WithCurrentScope scope(graph, convolution->scope());
  const auto rows = [&graph](Value* maps) { return graph.insert(c10::aten::flatten, {maps, 1}); };
  Value* const features = rows(convolution->input(layer->features.position));
  Value* const weight = rows(convolution->input(layer->weight.position));
  Value* const logits =
      graph.insert(c10::aten::linear, {features, weight, convolution->input(layer->bias.position)});
  Value* maps = logits;
  for (std::size_t axis = 2; axis < kMapAxes; ++axis) {
    maps = graph.insert(c10::aten::unsqueeze, {maps, -1});
  }
  for (Node* node : {features->node(), weight->node(), logits->node(), maps->node()}) {
    node->copyMetadata(convolution);
  }
  convolution->output()->replaceAllUsesWith(maps);
  convolution->destroy();
}

}  // namespace dubito
