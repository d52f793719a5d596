// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <algorithm>

#include "core/base/in_quotes.h"
#include "core/models/onnx/graph_translation_torch.h"
#include "core/models/onnx/integer_rules_torch.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/program/torch_reason.h"

namespace dubito {
namespace {

constexpr std::size_t kMaxNodes = 300'000;
constexpr int kMaxCalls = 24;
/// Elements of a constant that is computed while reading.
constexpr std::int64_t kMaxFolded = std::int64_t{1} << 24;

std::string described(const OnnxNode& node) {
  return fmt::format("operator {}, node {}", inQuotes(node.op), inQuotes(node.name));
}

std::vector<const OnnxValue*> inputsOf(const OnnxNode& node, const OnnxScope& scope) {
  std::vector<const OnnxValue*> inputs;
  for (const std::string_view name : node.inputs) {
    const OnnxValue* const value = name.empty() ? nullptr : scope.find(name);
    if (value == nullptr && !name.empty()) {
      refuseDamaged(fmt::format("{}: no earlier node computes its input {}", described(node),
                                inQuotes(name)));
    }
    inputs.push_back(value);
  }
  return inputs;
}

/// Number of elements; -1 if it is not known, or absurd.
std::int64_t knownElements(const OnnxValue& value) {
  std::int64_t count = 1;
  for (const std::int64_t size : value.shape.value_or(OnnxShape{kUnknownSize})) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) {
      return -1;
    }
  }
  return count;
}

/// Whether an operator returns the elements of its first input in another order or shape.
bool isRearrangement(const OnnxNode& node) {
  return node.domain.empty() &&
         (node.op == "Transpose" || node.op == "Reshape" || node.op == "Flatten" ||
          node.op == "Squeeze" || node.op == "Unsqueeze");
}

bool isLoop(std::string_view op) {
  return op == "Loop" || op == "Scan" || op == "SequenceMap";
}

[[noreturn]] void refuseOperator(const OnnxNode& node, std::int64_t opset) {
  if (isLoop(node.op)) {
    refuseUnsupported(fmt::format(
        "its node {} is a loop ({}), which is not supported; export a network without loops, or "
        "with the loop unrolled",
        inQuotes(node.name), node.op == "Loop" ? "Loop" : inQuotes(node.op)));
  }
  if (node.op.starts_with("TreeEnsemble")) {
    refuseUnsupported(
        fmt::format("it is an ensemble of trees ({}), which has no layers to draw or fit; only "
                    "networks and linear models are supported",
                    inQuotes(node.op)));
  }
  if (node.domain.starts_with("com.microsoft.")) {
    refuseUnsupported(fmt::format(
        "its node {} uses the operator {} of {}, which onnxruntime writes for one kind of machine; "
        "save the network without optimisation, or with ORT_ENABLE_EXTENDED at most",
        inQuotes(node.name), inQuotes(node.op), inQuotes(node.domain)));
  }
  refuseUnsupported(fmt::format(
      "its node {} uses the operator {}{} of opset {}, which is not supported; export the network "
      "without it, or to TorchScript",
      inQuotes(node.name), inQuotes(node.op),
      node.domain.empty() ? std::string() : fmt::format(" of {}", inQuotes(node.domain)), opset));
}

}  // namespace

OnnxValue constantValue(at::Tensor values) {
  OnnxValue value;
  value.type = values.scalar_type();
  value.shape = values.sizes().vec();
  value.constant = std::move(values);
  return value;
}

const OnnxValue* OnnxScope::find(std::string_view name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) {
    return &found->second;
  }
  return outer_ != nullptr ? outer_->find(name) : nullptr;
}

void OnnxScope::add(std::string_view name, OnnxValue value) {
  if (name.empty()) {
    return;
  }
  if (!values_.try_emplace(name, std::move(value)).second) {
    refuseDamaged(fmt::format("the value {} is computed twice", inQuotes(name)));
  }
}

void GraphTranslation::addInitializers(const OnnxGraph& graph, OnnxScope& scope) {
  for (const auto& tensor : graph.initializers) {
    OnnxValue value;
    value.stored = tensor;
    value.type = torchTypeOf(tensor->type);
    static_cast<void>(elementsOf(*tensor));
    value.shape = tensor->shape;
    scope.add(tensor->name, std::move(value));
  }
}

void GraphTranslation::translateNodes(const std::vector<OnnxNode>& nodes,
                                      const std::vector<std::string_view>& kept,
                                      const Opsets& opsets, OnnxScope& scope) {
  Users users;
  for (const OnnxNode& node : nodes) {
    for (const std::string_view input : node.inputs) {
      users[input].push_back(&node);
    }
    for (const OnnxAttribute& attribute : node.attributes) {
      // Graphs inside nodes may use any value: none is treated as used only once.
      if (attribute.graph) {
        for (const OnnxNode& inner : attribute.graph->nodes) {
          for (const std::string_view input : inner.inputs) {
            users[input].push_back(&inner);
          }
        }
      }
    }
  }
  for (const std::string_view name : kept) {
    users[name].push_back(nullptr);
  }
  for (const OnnxNode& node : nodes) {
    translateNode(node, opsets, scope, users);
  }
}

void GraphTranslation::translateNode(const OnnxNode& node, const Opsets& opsets, OnnxScope& scope,
                                     const Users& users) {
  if (done_.contains(&node)) {
    return;
  }
  if (++node_count_ > kMaxNodes) {
    refuseDamaged(fmt::format("it has more than {} nodes", kMaxNodes));
  }
  const auto version = opsets.find(node.domain);
  const std::int64_t opset = version == opsets.end() ? 1 : version->second;
  if (node.domain.empty() && node.op == "Constant") {
    setConstant(node, scope);
    return;
  }
  const std::vector<const OnnxValue*> inputs = inputsOf(node, scope);
  if (node.domain.empty() && node.op == "If") {
    takeBranch(node, inputs, opsets, scope);
    return;
  }
  const auto function = std::ranges::find_if(file_.functions, [&](const OnnxFunction& candidate) {
    return candidate.name == node.op && candidate.domain == node.domain;
  });
  if (function != file_.functions.end()) {
    callFunction(*function, node, inputs, scope);
    return;
  }
  const OnnxOperator* const op = findOperator(node.domain, node.op, opset);
  if (op == nullptr) {
    refuseOperator(node, opset);
  }
  NodeTranslation translation(node, opset, inputs, program_);
  if (!translateIntegers(translation)) {
    if (fold(*op, node, opset, inputs, scope)) {
      return;
    }
    translation.following_bias = followingBias(node, scope, users);
    op->translate(translation);
    if (translation.has_used_bias) {
      // The addition passes on the result of the product.
      const OnnxNode* const addition = users.at(node.outputs.front()).front();
      done_.insert(addition);
      addResults(*addition, {translation.result(0)}, scope);
      return;
    }
  }
  addResults(node, translation.takeResults(), scope);
}

void GraphTranslation::addResults(const OnnxNode& node, std::vector<OnnxValue> results,
                                  OnnxScope& scope) {
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    scope.add(node.outputs[i], i < results.size() ? std::move(results[i]) : OnnxValue());
  }
}

const OnnxValue* GraphTranslation::followingBias(const OnnxNode& node, const OnnxScope& scope,
                                                 const Users& users) {
  if (node.op != "MatMul" || node.outputs.size() != 1) {
    return nullptr;
  }
  const auto found = users.find(node.outputs.front());
  if (found == users.end() || found->second.size() != 1 || found->second.front() == nullptr) {
    return nullptr;
  }
  const OnnxNode& user = *found->second.front();
  if (user.op != "Add" || !user.domain.empty() || user.inputs.size() != 2 ||
      user.outputs.size() != 1) {
    return nullptr;
  }
  const std::string_view other =
      user.inputs[0] == node.outputs.front() ? user.inputs[1] : user.inputs[0];
  const OnnxValue* const bias = scope.find(other);
  return bias != nullptr && bias->isConstant() ? bias : nullptr;
}

void GraphTranslation::setConstant(const OnnxNode& node, OnnxScope& scope) {
  if (node.attributes.size() != 1 || node.outputs.size() != 1) {
    refuseDamaged(described(node) + ": it states no value");
  }
  const OnnxAttribute& attribute = node.attributes.front();
  OnnxValue value;
  if (attribute.name == "value" && attribute.tensor) {
    value.stored = attribute.tensor;
    value.type = torchTypeOf(attribute.tensor->type);
    static_cast<void>(elementsOf(*attribute.tensor));
    value.shape = attribute.tensor->shape;
  } else if (attribute.name == "value_int" && attribute.integer) {
    value = constantValue(at::scalar_tensor(*attribute.integer, at::kLong));
  } else if (attribute.name == "value_float" && attribute.number) {
    value = constantValue(at::scalar_tensor(*attribute.number, at::kFloat));
  } else if (attribute.name == "value_ints") {
    value = constantValue(at::tensor(attribute.integers, at::kLong));
  } else if (attribute.name == "value_floats") {
    value = constantValue(at::tensor(attribute.numbers, at::kFloat));
  } else {
    refuseUnsupported(
        fmt::format("its constant (node {}) is not a tensor of numbers, which is not "
                    "supported; export the network without it",
                    inQuotes(node.name)));
  }
  scope.add(node.outputs.front(), std::move(value));
}

void GraphTranslation::callFunction(const OnnxFunction& function, const OnnxNode& node,
                                    const std::vector<const OnnxValue*>& inputs, OnnxScope& scope) {
  if (++depth_ > kMaxCalls) {
    refuseDamaged("its functions call each other without end");
  }
  OnnxScope inner;
  for (std::size_t i = 0; i < function.inputs.size(); ++i) {
    if (i < inputs.size() && inputs[i] != nullptr) {
      inner.add(function.inputs[i], *inputs[i]);
    }
  }
  // Attributes of the call replace references to them.
  std::vector<OnnxNode> nodes = function.nodes;
  for (OnnxNode& called : nodes) {
    std::erase_if(called.attributes, [&node](OnnxAttribute& attribute) {
      if (!attribute.is_reference) {
        return false;
      }
      const auto given =
          std::ranges::find(node.attributes, attribute.reference, &OnnxAttribute::name);
      if (given == node.attributes.end()) {
        return true;
      }
      const std::string_view name = attribute.name;
      attribute = *given;
      attribute.name = name;
      return false;
    });
    std::ranges::for_each(called.inputs, [&](std::string_view& name) {
      if (inner.find(name) == nullptr &&
          std::ranges::find(function.inputs, name) != function.inputs.end()) {
        name = {};  // an input that the call leaves out
      }
    });
  }
  translateNodes(nodes, function.outputs, function.opsets.empty() ? file_.opsets : function.opsets,
                 inner);
  for (const OnnxNode& called : nodes) {
    done_.erase(&called);  // another call may have its nodes at the same addresses
  }
  for (std::size_t i = 0; i < node.outputs.size() && i < function.outputs.size(); ++i) {
    const OnnxValue* const value = inner.find(function.outputs[i]);
    if (value == nullptr) {
      refuseDamaged(described(node) + ": its function does not compute its result");
    }
    scope.add(node.outputs[i], *value);
  }
  --depth_;
}

void GraphTranslation::takeBranch(const OnnxNode& node, const std::vector<const OnnxValue*>& inputs,
                                  const Opsets& opsets, OnnxScope& scope) {
  if (++depth_ > kMaxCalls) {
    refuseDamaged("its branches are nested too deeply");
  }
  const NodeTranslation branching(node, 1, inputs, program_);
  const auto condition = branching.constantIntegers(0);
  if (!condition || condition->size() != 1) {
    branching.refuse(
        "chooses its branch while it runs, which is not supported; export a network whose layers "
        "do not depend on its input");
  }
  const OnnxAttribute* const branch =
      branching.attribute(condition->front() != 0 ? "then_branch" : "else_branch");
  if (branch == nullptr || !branch->graph) {
    branching.refuseNode("a branch is missing");
  }
  OnnxScope inner(&scope);
  addInitializers(*branch->graph, inner);
  std::vector<std::string_view> results;
  for (const OnnxValueInfo& output : branch->graph->outputs) {
    results.push_back(output.name);
  }
  translateNodes(branch->graph->nodes, results, opsets, inner);
  for (std::size_t i = 0; i < node.outputs.size() && i < results.size(); ++i) {
    const OnnxValue* const value = inner.find(results[i]);
    if (value == nullptr) {
      branching.refuseNode("its branch does not compute its result");
    }
    scope.add(node.outputs[i], *value);
  }
  --depth_;
}

bool GraphTranslation::fold(const OnnxOperator& op, const OnnxNode& node, std::int64_t opset,
                            const std::vector<const OnnxValue*>& inputs, OnnxScope& scope) {
  std::int64_t max_elements = kMaxFolded;
  for (const OnnxValue* const input : inputs) {
    if (input != nullptr && !input->isConstant()) {
      return false;
    }
    max_elements = input == nullptr ? max_elements : std::max(max_elements, knownElements(*input));
  }
  if (!op.is_folded) {
    return false;
  }
  ProgramInProgress own{
      .stored = program_.stored, .source = {}, .weights = {}, .kept = {}, .paths = {}};
  NodeTranslation translation(node, opset, inputs, own);
  op.translate(translation);
  if (node.outputs.size() == 1 && translation.result(0).isConstant()) {
    addResults(node, translation.takeResults(), scope);
    return true;
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const std::int64_t elements = knownElements(translation.result(i));
    if (elements < 0 || elements > max_elements) {
      return false;
    }
    const OnnxValue& result = translation.result(i);
    texts.push_back(NodeTranslation::textOf(result, translation));
  }
  std::vector<OnnxValue> results;
  try {
    const at::NoGradGuard no_gradients;
    torch::jit::CompilationUnit unit;
    const auto graph = compileProgram(own.source, texts, unit);
    torch::jit::Stack stack;
    for (const ProgramWeight& weight : own.source.weights()) {
      stack.emplace_back(weight.values);
    }
    stack.emplace_back(false);
    torch::jit::GraphExecutor(graph, "constant").run(stack);
    const c10::IValue returned = stack.at(0);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      results.push_back(constantValue(texts.size() == 1
                                          ? returned.toTensor()
                                          : returned.toTupleRef().elements()[i].toTensor()));
    }
  } catch (const std::exception& exception) {
    refuseDamaged(fmt::format("{}: {}", described(node), torchReason(exception)));
  }
  if (isRearrangement(node) && results.size() == 1 && !inputs.empty() && inputs[0] != nullptr) {
    results.front().rearranged = inputs[0]->origin();
  }
  addResults(node, std::move(results), scope);
  return true;
}

}  // namespace dubito
