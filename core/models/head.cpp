// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "core/models/graph_torch.h"
#include "core/models/head_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/layer_nodes_torch.h"

namespace dubito {

using torch::jit::Block;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;

namespace {

constexpr int kMaxTailLength = 64;

/// Operators that pass on their first input, possibly with another shape or type.
bool preservesValues(const std::string& op) {
  static constexpr std::array<const char*, 16> kKept = {
      "aten::squeeze", "aten::view",   "aten::reshape",    "aten::flatten",
      "aten::to",      "aten::float",  "aten::contiguous", "aten::detach",
      "aten::clone",   "aten::alias",  "aten::dropout",    "prim::unchecked_cast",
      "aten::type_as", "aten::double", "aten::permute",    "aten::unsqueeze"};
  return std::any_of(kKept.begin(), kKept.end(), [&op](const char* name) { return op == name; });
}

/// A stored number, or tensor of one element.
std::optional<double> storedNumber(const Module& module, const Value* value) {
  const auto stored = resolveValue(module, value);
  if (stored && stored->isScalar()) {
    return stored->toScalar().toDouble();
  }
  const bool is_number = stored && stored->isTensor() && stored->toTensor().defined() &&
                         stored->toTensor().numel() == 1 && !stored->toTensor().is_complex();
  return is_number ? std::optional<double>(stored->toTensor().item().toDouble()) : std::nullopt;
}

/// One step back from the output.
struct HeadStep {
  Value* before = nullptr;
  std::optional<HeadTail> tail;
};

/// Multiplication or division by one constant number.
std::optional<HeadStep> scaling(const Module& module, Node* node) {
  const std::string op = opName(node);
  const bool divides = op == "aten::div" || op == "aten::div_";
  if ((!divides && op != "aten::mul" && op != "aten::mul_") || node->inputs().size() != 2) {
    return std::nullopt;
  }
  if (const auto number = storedNumber(module, node->input(1))) {
    return HeadStep{node->input(0),
                    HeadTail{HeadTail::Kind::kScale, divides ? 1.0 / *number : *number}};
  }
  const auto number = divides ? std::nullopt : storedNumber(module, node->input(0));
  return number ? std::optional<HeadStep>(
                      HeadStep{node->input(1), HeadTail{HeadTail::Kind::kScale, *number}})
                : std::nullopt;
}

/// softmax, log_softmax or sigmoid.
std::optional<HeadStep> activation(const Module& module, Node* node) {
  const std::string op = opName(node);
  if (op == "aten::sigmoid") {
    return HeadStep{node->input(0), HeadTail{HeadTail::Kind::kSigmoid}};
  }
  const bool is_log = op == "aten::log_softmax" || op == "aten::_log_softmax";
  if (!is_log && op != "aten::softmax" && op != "aten::_softmax") {
    return std::nullopt;
  }
  const auto dim = resolveValue(module, node->input(1));
  if (!dim || !dim->isInt()) {
    return std::nullopt;
  }
  return HeadStep{
      node->input(0),
      HeadTail{is_log ? HeadTail::Kind::kLogSoftmax : HeadTail::Kind::kSoftmax, 1.0, dim->toInt()}};
}

/// The only value that a branch can return, if all other blocks just raise an error; otherwise
/// nothing.
std::optional<HeadStep> onlyBranch(Node* node, const Value* output) {
  const auto raises = [](const Block* block) {
    return std::any_of(block->nodes().begin(), block->nodes().end(), [](const Node* inner) {
      return inner->kind() == c10::prim::RaiseException;
    });
  };
  std::optional<HeadStep> step;
  for (Block* const block : node->blocks()) {
    if (raises(block)) {
      continue;
    }
    if (step) {
      return std::nullopt;
    }
    step = HeadStep{block->outputs()[output->offset()], std::nullopt};
  }
  return step;
}

std::optional<HeadStep> stepBack(const Module& module, Value* value) {
  Node* const node = value->node();
  if (node->kind() == c10::prim::If) {
    return onlyBranch(node, value);
  }
  if (preservesValues(opName(node)) || isPureDropout(node)) {
    return HeadStep{node->input(0), std::nullopt};
  }
  const auto scaled = scaling(module, node);
  return scaled ? scaled : activation(module, node);
}

/// Why the walk ends at a node.
std::string reasonToStop(const Node* node) {
  const std::string op = opName(node);
  if (node->kind() == c10::prim::If) {
    return "which layer comes last is decided at run time (prim::If)";
  }
  if (op.starts_with("aten::mul") || op.starts_with("aten::div")) {
    return fmt::format("the network returns a product ({}) of values that it computes, not W h + b",
                       op);
  }
  if (op == "aten::dequantize") {
    return fmt::format(
        "the last layer ({}) is quantised with its outputs, which are therefore not "
        "W h + b",
        opName(node->input(0)->node()));
  }
  if (op == "aten::wait" || node->kind() == c10::prim::CallMethod ||
      node->kind() == c10::prim::CallFunction) {
    return "the last layer is in code that is not in the network's graph (" + op + ")";
  }
  return "the last layer is " + op + ", which is not linear";
}

bool isNone(const Module& module, const Value* value) {
  const auto known = resolveValue(module, value);
  return value->type()->kind() == c10::TypeKind::NoneType || (known && known->isNone());
}

/// Splits the terms added to W h into a bias and other values.
void readBias(const Module& module, const LayerNode& layer, HeadNode& head) {
  if (layer.bias.node == nullptr) {
    head.bias = layer.bias_values;
    return;
  }
  Value* const added = layer.bias.node->input(layer.bias.position);
  const std::int64_t classes = head.weight.defined() ? head.weight.size(0) : 0;
  if (layer.bias_values.defined() && layer.bias_values.numel() == classes &&
      layer.bias_values.size(-1) == classes) {
    head.bias = layer.bias_values.reshape({classes});
  } else if (!isNone(module, added)) {
    head.added = added;
  }
}

/// Fills `head` if `node` is a linear layer.
bool readLinear(const Module& module, Node* node, HeadNode& head) {
  const auto layer = linearLayer(module, node);
  if (!layer) {
    return false;
  }
  head.node = layer->features.node;
  head.feature_input = layer->features.position;
  head.features = head.node->input(head.feature_input);
  head.logits = layer->output;
  head.weight = layer->weight_values;
  head.quantised = layer->quantised;
  readBias(module, *layer, head);
  return true;
}

at::Tensor asDouble(const at::Tensor& values, const at::Device& device) {
  return values.defined() ? values.detach().to(device, at::kDouble) : values;
}

/// W h + b + added, on the device of the features.
at::Tensor inDouble(const at::Tensor& weight, const at::Tensor& bias, const at::Tensor& features,
                    const at::Tensor& added) {
  const at::Device device = features.device();
  const at::Tensor logits =
      at::linear(asDouble(features, device), asDouble(weight, device), asDouble(bias, device));
  return added.defined() ? logits + asDouble(added, device) : logits;
}

/// Machine epsilon of the tensor's type.
double precisionOf(const at::Tensor& values) {
  if (!values.defined()) {
    return 0.0;
  }
  switch (values.scalar_type()) {
    case at::kDouble:
      return std::numeric_limits<double>::epsilon();
    case at::kHalf:
      return 0x1p-10;
    case at::kBFloat16:
      return 0x1p-7;
    default:
      return double{std::numeric_limits<float>::epsilon()};
  }
}

}  // namespace

Value* beforeTail(const Module& module, Value* value) {
  const auto step = stepBack(module, value);
  return step ? step->before : nullptr;
}

HeadNode findHead(torch::jit::Graph& graph, const Module& module) {
  HeadNode head;
  Value* value = graph.outputs()[0];
  for (int step = 0; step < kMaxTailLength; ++step) {
    Node* const node = value->node();
    if (readLinear(module, node, head)) {
      const bool usable = head.weight.defined() && head.weight.dim() == 2;
      if (!usable) {
        head.reason = "the weights of the last " + opName(node) + " are computed at run time";
      } else if (node->owningBlock() != graph.block()) {
        head.reason = "the last linear layer is in a branch of the program";
      }
      if (!head.reason.empty()) {
        head.node = nullptr;
      }
      return head;
    }
    const auto back = stepBack(module, value);
    if (!back) {
      head.reason = reasonToStop(node);
      return head;
    }
    if (back->tail) {
      const HeadTail::Kind kind = back->tail->kind;
      head.softmax_after = head.softmax_after || kind == HeadTail::Kind::kSoftmax;
      head.log_after = head.log_after || kind == HeadTail::Kind::kLogSoftmax;
      head.tail.insert(head.tail.begin(), *back->tail);
    }
    value = back->before;
  }
  head.reason = "no linear layer was found near the output";
  return head;
}

Value* addedToItems(torch::jit::Graph& graph, const HeadNode& head, const ItemsPerPass& items) {
  if (items.isUnlimited()) {
    return head.added;
  }
  const torch::jit::WithInsertPoint at_end(graph.return_node());
  return graph.insert(c10::aten::expand_as, {head.added, head.logits});
}

at::Tensor applyTail(const std::vector<HeadTail>& tail, const at::Tensor& logits) {
  at::Tensor values = logits;
  for (const HeadTail& step : tail) {
    switch (step.kind) {
      case HeadTail::Kind::kScale:
        values = values * step.factor;
        break;
      case HeadTail::Kind::kSoftmax:
        values = at::softmax(values, step.dim);
        break;
      case HeadTail::Kind::kLogSoftmax:
        values = at::log_softmax(values, step.dim);
        break;
      case HeadTail::Kind::kSigmoid:
        values = at::sigmoid(values);
        break;
    }
  }
  return values;
}

HeadFit compareWithHead(const at::Tensor& weight, const at::Tensor& bias,
                        const at::Tensor& features, const at::Tensor& added,
                        const at::Tensor& logits) {
  HeadFit fit;
  fit.rebuilt = inDouble(weight, bias, features, added);
  // Minus infinity, as in the bias of masked classes, equals itself but has no difference.
  const at::Tensor returned = asDouble(logits, features.device());
  const at::Tensor difference =
      at::masked_fill(at::abs(fit.rebuilt - returned), fit.rebuilt == returned, 0.0);
  if (difference.numel() == 0) {
    fit.is_rounding = true;
    return fit;
  }
  fit.error = difference.max().item().toDouble();
  const double eps = std::max(
      {precisionOf(weight), precisionOf(features), precisionOf(logits), precisionOf(added)});
  // Usually sufficient, at half the cost.
  constexpr double kQuick = 64.0;
  const at::Tensor finite = at::masked_fill(fit.rebuilt.abs(), at::isinf(fit.rebuilt), 0.0);
  if (fit.error <= kQuick * eps * finite.max().item().toDouble()) {
    fit.is_rounding = true;
    return fit;
  }
  // Any order of summation stays within (number of terms) eps (sum of their magnitudes).
  const auto size = [](const at::Tensor& values) {
    return values.defined() ? values.abs() : values;
  };
  const at::Tensor sizes = inDouble(size(weight), size(bias), size(features), size(added));
  const double terms = static_cast<double>(weight.size(1)) + 2.0;
  fit.is_rounding = (difference <= sizes * (terms * eps)).all().item().toBool();
  return fit;
}

}  // namespace dubito
