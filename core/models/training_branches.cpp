// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/models/graph_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/prepare_torch.h"
#include "core/models/training_flags_torch.h"

namespace dubito {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

constexpr int kDeepestExpression = 64;

bool isScalar(const c10::Type& type) {
  switch (type.kind()) {
    case c10::TypeKind::BoolType:
    case c10::TypeKind::IntType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::StringType:
    case c10::TypeKind::NoneType:
      return true;
    default:
      return false;
  }
}

std::optional<c10::IValue> resolveDeep(bool training, const Module& module, const Value* value,
                                       int depth);

/// The result of a scalar operator whose arguments are all known.
std::optional<c10::IValue> compute(bool training, const Module& module, const Node* node,
                                   int depth) {
  const c10::FunctionSchema* const schema = node->maybeSchema();
  if (schema == nullptr || schema->is_mutable() || node->hasSideEffects() ||
      node->outputs().size() != 1 || !node->blocks().empty()) {
    return std::nullopt;
  }
  torch::jit::Stack stack;
  for (const Value* input : node->inputs()) {
    auto known = resolveDeep(training, module, input, depth);
    if (!known || !(known->isScalar() || known->isString() || known->isNone())) {
      return std::nullopt;
    }
    stack.push_back(*std::move(known));
  }
  try {
    node->getOperation()(stack);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return stack.size() == 1 ? std::optional<c10::IValue>(stack[0]) : std::nullopt;
}

std::optional<c10::IValue> resolveDeep(bool training, const Module& module, const Value* value,
                                       int depth) {
  if (depth > kDeepestExpression) {
    return std::nullopt;
  }
  if (isTrainingFlag(value)) {
    return c10::IValue(training);
  }
  if (auto known = resolveValue(module, value)) {
    return known;
  }
  const Node* const node = value->node();
  if (!isScalar(*value->type()) || node->kind() == c10::prim::Loop) {
    return std::nullopt;
  }
  if (node->kind() != c10::prim::If) {
    return compute(training, module, node, depth + 1);
  }
  const auto condition = resolveDeep(training, module, node->input(0), depth + 1);
  if (!condition || !condition->isBool()) {
    return std::nullopt;
  }
  const Block* const taken = node->blocks()[condition->toBool() ? 0 : 1];
  return resolveDeep(training, module, taken->outputs()[value->offset()], depth + 1);
}

/// The block that runs in training, if inference runs the other one; else null.
Block* trainingBlock(const Module& module, Node* branch) {
  const auto in_training = conditionInMode(true, module, branch);
  const auto in_inference = conditionInMode(false, module, branch);
  if (!in_training || !in_inference || *in_training == *in_inference) {
    return nullptr;
  }
  return branch->blocks()[*in_training ? 0 : 1];
}

/// The origin of a value, without dropout.
const Value* withoutDropout(const Value* value) {
  while (isPureDropout(value->node())) {
    value = value->node()->input(0);
  }
  return value;
}

/// Whether both blocks return the same values except for dropout, and `block` writes nothing.
bool differsOnlyByDropout(Block* block, const Block* other) {
  for (std::size_t i = 0; i < block->outputs().size(); ++i) {
    // Both: a site may drop what another one let through.
    if (withoutDropout(block->outputs()[i]) != withoutDropout(other->outputs()[i])) {
      return false;
    }
  }
  bool writes = false;
  bool drops = false;
  forEachNode(block, [&](const Node* node) {
    const c10::FunctionSchema* const schema = node->maybeSchema();
    writes =
        writes || node->kind() == c10::prim::SetAttr || (schema != nullptr && schema->is_mutable());
    drops = drops || isKeyed(node);
  });
  return drops && !writes;
}

/// Puts a block of a branch in the place of the branch.
void takeBlock(Node* branch, Block* block) {
  while (block->nodes().begin() != block->nodes().end()) {
    (*block->nodes().begin())->moveBefore(branch);
  }
  for (std::size_t i = 0; i < branch->outputs().size(); ++i) {
    branch->outputs()[i]->replaceAllUsesWith(block->outputs()[i]);
  }
  branch->destroy();
}

bool isFusedInference(const Node* node) {
  const std::string op = opName(node);
  return op == "aten::_transformer_encoder_layer_fwd" || op == "aten::_native_multi_head_attention";
}

}  // namespace

std::optional<c10::IValue> resolveInMode(bool training, const Module& module, const Value* value) {
  return resolveDeep(training, module, value, 0);
}

bool runsOnlyInTraining(const Module& module, const Node* node) {
  return isReachedInTraining(module, node) && !trainingBranchesAround(module, node).empty();
}

void foldScalarAttributes(Graph& graph, const Module& module) {
  std::set<std::string> written = {"training"};
  forEachNode(graph.block(), [&written](const Node* node) {
    if (node->kind() == c10::prim::SetAttr) {
      written.insert(node->s(c10::attr::name));
    }
  });
  forEachNode(graph.block(), [&](Node* node) {
    if (node->kind() != c10::prim::GetAttr || !isScalar(*node->output()->type()) ||
        written.count(node->s(c10::attr::name)) != 0) {
      return;
    }
    if (const auto value = resolveValue(module, node->output())) {
      const WithInsertPoint here(node);
      node->output()->replaceAllUsesWith(graph.insertConstant(*value));
    }
  });
}

std::vector<std::string> avoidFusedInference(Graph& graph) {
  std::vector<std::string> left;
  forEachNode(graph.block(), [&](Node* node) {
    if (!isFusedInference(node)) {
      return;
    }
    Node* const owner = node->owningBlock()->owningNode();
    if (owner == nullptr || owner->kind() != c10::prim::If) {
      left.push_back(opName(node));
      return;
    }
    // Later code uses the same condition to check whether the result exists, so every use must
    // change.
    Value* const condition = owner->input(0);
    const WithInsertPoint here(owner);
    Value* const other = graph.insertConstant(node->owningBlock() != owner->blocks()[0]);
    condition->replaceAllUsesAfterNodeWith(other->node(), other);
  });
  return left;
}

void takeTrainingBranches(Graph& graph, const Module& module) {
  forEachNode(graph.block(), [&](Node* node) {
    if (node->kind() != c10::prim::If) {
      return;
    }
    Block* const block = trainingBlock(module, node);
    if (block == nullptr) {
      return;
    }
    const bool first = block == node->blocks()[0];
    if (differsOnlyByDropout(block, node->blocks()[first ? 1 : 0])) {
      takeBlock(node, block);
    }
  });
}

}  // namespace dubito
