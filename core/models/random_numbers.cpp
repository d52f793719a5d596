// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/random_numbers_torch.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/models/graph_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

namespace {

/// An operator of torch that draws independent numbers, and what keyedRandom calls them. Parameters
/// are named as in torch's schema; empty: 0.
struct RandomOp {
  const char* op;  ///< without the underscore of the version that writes
  const char* distribution;
  const char* a;
  const char* b;
};

constexpr std::array<RandomOp, 15> kRandomOps = {{
    {"aten::rand", "uniform", "", ""},
    {"aten::rand_like", "uniform", "", ""},
    {"aten::randn", "normal", "", ""},
    {"aten::randn_like", "normal", "", ""},
    {"aten::uniform", "uniform", "from", "to"},
    {"aten::normal", "normal", "mean", "std"},
    {"aten::log_normal", "log_normal", "mean", "std"},
    {"aten::bernoulli", "bernoulli", "p", ""},
    {"aten::exponential", "exponential", "lambd", ""},
    {"aten::geometric", "geometric", "p", ""},
    {"aten::cauchy", "cauchy", "median", "sigma"},
    {"aten::randint", "integer", "low", "high"},
    {"aten::randint_like", "integer", "low", "high"},
    {"aten::random", "integer", "from", "to"},
    {"aten::rrelu", "uniform", "lower", "upper"},
}};

const RandomOp* findRandomOp(const Node* node) {
  std::string op = opName(node);
  if (op.ends_with("_")) {
    op.pop_back();
  }
  const auto* const found =
      std::ranges::find_if(kRandomOps, [&op](const RandomOp& entry) { return op == entry.op; });
  return found == kRandomOps.end() ? nullptr : found;
}

/// An argument by name; nullptr if the operator has none or it is None.
Value* argumentOf(const Node* node, const char* name) {
  const auto index = inputIndex(node, name);
  Value* const value = index ? const_cast<Node*>(node)->input(*index) : nullptr;
  return value == nullptr || value->type()->kind() == c10::TypeKind::NoneType ? nullptr : value;
}

bool isTensorArgument(const Value* value) {
  return value != nullptr && isTensor(value);
}

/// Whether the operator takes shape and type from its first argument.
bool isLike(const Node* node) {
  return opName(node).ends_with("_like");
}

/// Numbers with the parameters `a` and `b`, numbers or tensors.
Value* insertDistribution(Graph& graph, const std::string& distribution, Value* like, Value* a,
                          Value* b, const KeyedDraw& draw) {
  Value* const zero = graph.insertConstant(0.0);
  Value* const one = graph.insertConstant(1.0);
  if (distribution == "bernoulli" && isTensorArgument(a)) {
    Value* const u = insertKeyedRandom(graph, like, "uniform", zero, one, draw);
    return graph.insert(c10::aten::lt, {u, a});
  }
  if (distribution == "normal" && (isTensorArgument(a) || isTensorArgument(b))) {
    Value* const z = insertKeyedRandom(graph, like, "normal", zero, one, draw);
    return graph.insert(c10::aten::add, {graph.insert(c10::aten::mul, {z, b}), a});
  }
  return insertKeyedRandom(graph, like, distribution, a, b, draw);
}

/// What torch takes where the schema gives no number: rand is uniform in (0, 1), randint starts at
/// 0.
Value* parameterOf(Graph& graph, const Node* node, const char* name, double otherwise) {
  Value* const value = *name == '\0' ? nullptr : argumentOf(node, name);
  return value != nullptr ? value : graph.insertConstant(otherwise);
}

bool isSwitchedOff(const Node* node, const KnownValue& known) {
  const auto isNumber = [&](const char* argument, double number) {
    const auto input = inputIndex(node, argument);
    const auto value = input ? known(node->input(*input)) : std::nullopt;
    return value && (value->isBool() || value->isScalar()) &&
           value->toScalar().toDouble() == number;
  };
  return isNumber("train", 0.0) || isNumber("training", 0.0) || isNumber("dropout_p", 0.0) ||
         isNumber("dropout", 0.0) || isNumber("num_layers", 1.0);
}

}  // namespace

bool drawsNumbers(const Node* node, const KnownValue& known) {
  const c10::FunctionSchema* const schema = node->maybeSchema();
  const auto op =
      schema == nullptr
          ? std::nullopt
          : c10::Dispatcher::singleton().findSchema({schema->name(), schema->overload_name()});
  return op && op->hasTag(at::Tag::nondeterministic_seeded) && !isSwitchedOff(node, known);
}

bool drawsNumbers(const Node* node) {
  return drawsNumbers(node, [](const Value* value) { return torch::jit::toIValue(value); });
}

std::string whyNotKeyed(const Node* node) {
  const RandomOp* const op = findRandomOp(node);
  if (op == nullptr) {
    return opName(node) + " cannot be drawn by key";
  }
  if (argumentOf(node, "generator") != nullptr) {
    return opName(node) + " draws from a generator of its own";
  }
  if (inputIndex(node, "out")) {
    return opName(node) + " writes its numbers into another tensor";
  }
  const std::string distribution = op->distribution;
  if (distribution == "integer") {
    if (argumentOf(node, op->b) == nullptr || isTensorArgument(argumentOf(node, op->b)) ||
        isTensorArgument(argumentOf(node, op->a))) {
      return opName(node) + " draws from a range that is not given by numbers";
    }
  }
  return {};
}

Value* insertShapeOfNumbers(Graph& graph, const Node* node) {
  std::vector<torch::jit::NamedValue> options;
  for (const char* name : {"dtype", "layout", "device", "pin_memory", "memory_format"}) {
    if (Value* const value = argumentOf(node, name)) {
      options.emplace_back(name, value);
    }
  }
  if (Value* const size = argumentOf(node, "size")) {
    return graph.insert(c10::aten::empty, {size}, options);
  }
  if (isLike(node)) {
    return graph.insert(c10::aten::empty_like, {const_cast<Node*>(node)->input(0)}, options);
  }
  Value* const a = argumentOf(node, "mean");
  Value* const b = argumentOf(node, "std");
  if (isTensorArgument(a) && isTensorArgument(b)) {
    return graph.insert(c10::aten::add, {a, b});
  }
  return isTensorArgument(b) ? b : const_cast<Node*>(node)->input(0);
}

Value* insertKeyedNumbers(Graph& graph, const Node* node, const KeyedDraw& draw) {
  const RandomOp& op = *findRandomOp(node);
  const std::string name = opName(node);
  if (name.starts_with("aten::rrelu")) {
    Value* const x = const_cast<Node*>(node)->input(0);
    Value* const slope = graph.insert(
        c10::aten::type_as, {insertKeyedRandom(graph, x, op.distribution, argumentOf(node, op.a),
                                               argumentOf(node, op.b), draw),
                             x});
    Value* const is_positive = graph.insert(c10::aten::gt, {x, graph.insertConstant(0.0)});
    return graph.insert(c10::aten::where,
                        {is_positive, x, graph.insert(c10::aten::mul, {x, slope})});
  }
  Value* const like = insertShapeOfNumbers(graph, node);
  Value* a = parameterOf(graph, node, op.a, 0.0);
  Value* const b = parameterOf(graph, node, op.b, 1.0);
  if (name == "aten::bernoulli" && argumentOf(node, "p") == nullptr) {
    a = const_cast<Node*>(node)->input(0);  // the probabilities
  }
  Value* const numbers = insertDistribution(graph, op.distribution, like, a, b, draw);
  return graph.insert(c10::aten::type_as, {numbers, like});
}

}  // namespace dubito
