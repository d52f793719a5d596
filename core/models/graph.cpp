// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/scope.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>

#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/models/graph_torch.h"
#include "core/models/prepare_torch.h"

namespace dubito {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;

void forEachNode(Block* block, const std::function<void(Node*)>& visit) {
  for (auto it = block->nodes().begin(); it != block->nodes().end();) {
    Node* const node = *it;
    ++it;
    for (Block* inner : node->blocks()) {
      forEachNode(inner, visit);
    }
    visit(node);
  }
}

std::string opName(const Node* node) {
  return node->kind().toQualString();
}

bool isTensor(const Value* value) {
  return value->type()->kind() == c10::TypeKind::TensorType;
}

std::optional<std::size_t> inputIndex(const Node* node, const std::string& argument) {
  const c10::FunctionSchema* const schema = node->maybeSchema();
  if (schema == nullptr) {
    return std::nullopt;
  }
  const auto index = schema->argumentIndexWithName(argument);
  return index ? std::optional<std::size_t>(static_cast<std::size_t>(*index)) : std::nullopt;
}

std::optional<std::string> attributePath(const Value* value) {
  std::string path;
  const Node* node = value->node();
  while (node->kind() == c10::prim::GetAttr) {
    const std::string& name = node->s(c10::attr::name);
    path = path.empty() ? name : name + "." + path;
    const Value* const object = node->input(0);
    node = object->node();
    if (node->kind() == c10::prim::Param) {
      return path;
    }
  }
  return std::nullopt;
}

namespace {

bool isTransposition(const Node* node) {
  const std::string op = opName(node);
  return op == "aten::t" || op == "aten::numpy_T";
}

/// x.flatten(1), which is a matrix of rows.
bool isFlatteningToRows(const Node* node) {
  if (opName(node) != "aten::flatten") {
    return false;
  }
  const auto first = torch::jit::toIValue(node->input(1));
  const auto last = torch::jit::toIValue(node->input(2));
  return first && last && *first == 1 && *last == -1;
}

}  // namespace

bool isReshapedWeight(const Node* node) {
  return isTransposition(node) || isFlatteningToRows(node);
}

std::optional<c10::IValue> resolveValue(const torch::jit::Module& module, const Value* value) {
  if (auto constant = torch::jit::toIValue(value)) {
    return constant;
  }
  const Node* const node = value->node();
  if (isReshapedWeight(node)) {
    const auto inner = resolveValue(module, node->input(0));
    if (!inner || !inner->isTensor() || !inner->toTensor().defined()) {
      return std::nullopt;
    }
    const at::Tensor& tensor = inner->toTensor();
    if (isTransposition(node)) {
      return c10::IValue(tensor.t());
    }
    return tensor.dim() > 1 ? std::optional(c10::IValue(tensor.flatten(1))) : std::nullopt;
  }
  const auto path = attributePath(value);
  if (!path) {
    return std::nullopt;
  }
  c10::IValue current = module._ivalue();
  std::size_t begin = 0;
  while (begin <= path->size()) {
    const std::size_t end = std::min(path->find('.', begin), path->size());
    current = current.toObject()->getAttr(path->substr(begin, end - begin));
    begin = end + 1;
  }
  return current;
}

std::vector<std::optional<std::int64_t>> integersOf(const Value* list) {
  std::vector<std::optional<std::int64_t>> numbers;
  if (const auto constant = torch::jit::toIValue(list)) {
    if (constant->isIntList()) {
      std::ranges::copy(constant->toIntVector(), std::back_inserter(numbers));
    }
  } else if (list->node()->kind() == c10::prim::ListConstruct) {
    for (const Value* element : list->node()->inputs()) {
      const auto number = torch::jit::toIValue(element);
      numbers.push_back(number && number->isInt() ? std::optional(number->toInt()) : std::nullopt);
    }
  }
  return numbers;
}

std::string modulePath(const Node* node) {
  const auto callstack = node->callstack();
  if (!callstack) {
    return node->scopeName();  // of a graph that was built flat, see GraphBuilder
  }
  std::string path;
  for (const auto& entry : (*callstack)->vec()) {
    const auto& instance = std::get<2>(entry);
    if (!instance || !instance->class_type()) {
      continue;
    }
    const std::string name = instance->instance_name();
    if (name.empty() || name == "SELF" || name == "INSTANCE_NAME_UNKNOWN") {
      continue;
    }
    path += (path.empty() ? "" : ".") + name;
  }
  return path;
}

bool isWeightedLayer(const Node* node) {
  static constexpr std::array<const char*, 12> kLayers = {"aten::linear",
                                                          "aten::addmm",
                                                          "aten::matmul",
                                                          "aten::mm",
                                                          "aten::_convolution",
                                                          "aten::conv1d",
                                                          "aten::conv2d",
                                                          "aten::conv3d",
                                                          "quantized::linear_dynamic",
                                                          "quantized::linear",
                                                          "aten::conv_transpose2d",
                                                          "quantized::linear_relu_dynamic"};
  const std::string op = opName(node);
  return std::any_of(kLayers.begin(), kLayers.end(),
                     [&op](const char* layer) { return op == layer; });
}

std::string layerName(const Node* node) {
  for (const Value* input : node->inputs()) {
    if (const auto path = attributePath(input)) {
      const std::size_t dot = path->rfind('.');
      return dot == std::string::npos ? *path : path->substr(0, dot);
    }
  }
  const std::string path = modulePath(node);
  return path.empty() ? opName(node) : path;
}

std::string placeOf(const Value* value) {
  std::vector<const Value*> front = {value};
  std::unordered_set<const Value*> seen(front.begin(), front.end());
  for (std::size_t i = 0; i < front.size(); ++i) {
    for (const torch::jit::Use& use : front[i]->uses()) {
      const Node* const user = use.user;
      if (isWeightedLayer(user)) {
        return "before " + layerName(user);
      }
      if (user->kind() == c10::prim::Return && user->owningBlock()->owningNode() != nullptr) {
        // Leaves a branch: the value continues as that output of the node that owns the branch.
        const Node* const owner = user->owningBlock()->owningNode();
        if (use.offset < owner->outputs().size() &&
            seen.insert(owner->outputs()[use.offset]).second) {
          front.push_back(owner->outputs()[use.offset]);
        }
      }
      for (const Value* output : user->outputs()) {
        if (seen.insert(output).second) {
          front.push_back(output);
        }
      }
    }
  }
  return "before the output";
}

Node* outermostNode(Node* node) {
  while (node->owningBlock()->owningNode() != nullptr) {
    node = node->owningBlock()->owningNode();
  }
  return node;
}

namespace {

bool prints(const Node* node) {
  const std::string op = opName(node);
  return op == "prim::Print" || op == "aten::warn";
}

/// The graph without what it prints: the terminal belongs to this program.
std::shared_ptr<torch::jit::Graph> silent(std::shared_ptr<torch::jit::Graph> graph) {
  bool has_prints = false;
  forEachNode(graph->block(), [&](const Node* node) { has_prints = has_prints || prints(node); });
  if (!has_prints) {
    return graph;
  }
  graph = graph->copy();
  forEachNode(graph->block(), [](Node* node) {
    if (prints(node) && !node->hasUses()) {
      node->destroy();
    }
  });
  return graph;
}

/// The items with `missing` copies of the last one behind them.
at::Tensor filledUp(const at::Tensor& items, std::int64_t missing) {
  if (missing == 0) {
    return items.clone();
  }
  std::vector<std::int64_t> shape = items.sizes().vec();
  shape[0] = missing;
  return at::cat({items, items.slice(0, items.size(0) - 1).expand(shape)});
}

/// The rows of a pass over `items` items and `filled` copies that belong to the items.
at::Tensor rowsOfItems(const at::Tensor& rows, std::int64_t items, std::int64_t filled) {
  if (filled == 0 || rows.dim() == 0 || rows.size(0) % (items + filled) != 0) {
    return rows;
  }
  return rows.slice(0, 0, rows.size(0) / (items + filled) * items);
}

}  // namespace

GraphRunner::GraphRunner(std::shared_ptr<torch::jit::Graph> graph, const std::string& name,
                         const ItemsPerPass& items)
    : graph_(silent(std::move(graph))), executor_(graph_, name), items_(items) {}

std::vector<c10::IValue> GraphRunner::run(std::vector<c10::IValue> inputs) {
  const at::NoGradGuard no_gradients;
  if (items_.isUnlimited()) {
    return pass(std::move(inputs));
  }
  const at::Tensor x = inputs.at(kNetInput).toTensor();
  const std::int64_t items = x.dim() == 0 ? 1 : x.size(0);
  if (items == 0 || items_.accepts(items)) {
    return pass(std::move(inputs));
  }
  std::vector<std::vector<at::Tensor>> parts;
  for (std::int64_t begin = 0; begin < items; begin += std::min(items_.max, items)) {
    const std::int64_t end = std::min(items, begin + std::min(items_.max, items));
    const std::int64_t missing = std::max<std::int64_t>(0, items_.min - (end - begin));
    std::vector<c10::IValue> of_part = inputs;
    of_part[kNetInput] = filledUp(x.slice(0, begin, end), missing);
    for (const std::size_t key : {kItemsInput, kDrawsInput}) {
      const at::Tensor keys = inputs.at(key).toTensor();
      if (keys.numel() > 0) {
        const at::Tensor own = keys.slice(0, begin, end);
        const at::Tensor more = key == kItemsInput
                                    ? at::full({missing}, kPaddedItem, keys.options())
                                    : at::zeros({missing}, keys.options());
        of_part[key] = at::cat({own, more});
      }
    }
    const std::vector<c10::IValue> returned = pass(std::move(of_part));
    parts.resize(returned.size());
    for (std::size_t i = 0; i < returned.size(); ++i) {
      parts[i].push_back(rowsOfItems(returned[i].toTensor(), end - begin, missing));
    }
  }
  std::vector<c10::IValue> outputs;
  for (const std::vector<at::Tensor>& of_output : parts) {
    outputs.emplace_back(of_output.size() == 1 ? of_output.front() : at::cat(of_output));
  }
  return outputs;
}

std::vector<c10::IValue> GraphRunner::pass(std::vector<c10::IValue> inputs) {
  torch::jit::Stack stack(std::make_move_iterator(inputs.begin()),
                          std::make_move_iterator(inputs.end()));
  executor_.run(stack);
  return {std::make_move_iterator(stack.begin()), std::make_move_iterator(stack.end())};
}

}  // namespace dubito
