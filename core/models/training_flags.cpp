// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/training_flags_torch.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/models/graph_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/prepare_torch.h"
#include "core/models/random_numbers_torch.h"

namespace dubito {

using torch::jit::Block;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;

namespace {

/// Searches what a scalar is computed from, through operators and branches but not through tensors.
class Origins {
 public:
  /// Whether a training flag is among the origins of `value`.
  bool haveFlag(const Value* value) {
    if (isTrainingFlag(value)) {
      return true;
    }
    const Node* const node = value->node();
    if (isTensor(value) || !seen_.insert(value).second || node->kind() == c10::prim::Param) {
      return false;
    }
    if (node->kind() == c10::prim::Loop) {
      return false;
    }
    if (node->kind() == c10::prim::If) {
      return haveFlag(node->input(0)) ||
             std::ranges::any_of(node->blocks(), [&](const Block* block) {
               return haveFlag(block->outputs()[value->offset()]);
             });
    }
    return std::ranges::any_of(node->inputs(), [&](const Value* input) { return haveFlag(input); });
  }

 private:
  std::unordered_set<const Value*> seen_;
};

bool hasEffects(const Node* node) {
  const c10::FunctionSchema* const schema = node->maybeSchema();
  return node->kind() == c10::prim::SetAttr || node->kind() == c10::prim::Loop || isKeyed(node) ||
         drawsNumbers(node) || (schema != nullptr && schema->is_mutable());
}

/// Copies the nodes between training flags and a value.
class FlagFollower {
 public:
  FlagFollower(Value* flag, Node* user) : flag_(flag), user_(user) {}

  Value* follow(Value* value) {
    if (isTrainingFlag(value)) {
      return flag_;
    }
    if (!dependsOnTraining(value)) {
      return value;
    }
    const auto known = copies_.find(value->node());
    Node* const copy = known != copies_.end() ? known->second : copyOf(value->node());
    return copy->outputs()[value->offset()];
  }

 private:
  Node* copyOf(Node* node) {
    std::unordered_map<Value*, Value*> replaced;
    for (Value* input : node->inputs()) {
      replaced.emplace(input, follow(input));
    }
    Node* const copy = user_->owningGraph()->createClone(node, [&](Value* value) {
      const auto found = replaced.find(value);
      return found == replaced.end() ? value : found->second;
    });
    copy->insertBefore(user_);
    copies_.emplace(node, copy);
    for (Block* block : copy->blocks()) {
      forEachNode(block, [&](Node* inner) {
        for (Value* output : inner->outputs()) {
          if (isTrainingFlag(output)) {
            output->replaceAllUsesWith(flag_);
          }
        }
      });
      followReads(block);
    }
    return copy;
  }

  /// What the nodes of a copied block read from outside of it.
  void followReads(Block* block) {
    const auto isOutside = [&](const Value* value) {
      for (const Block* owner = value->node()->owningBlock(); owner != nullptr;
           owner = owner->owningNode() == nullptr ? nullptr : owner->owningNode()->owningBlock()) {
        if (owner == block) {
          return false;
        }
      }
      return true;
    };
    const auto followInputs = [&](Node* node) {
      for (std::size_t i = 0; i < node->inputs().size(); ++i) {
        if (isOutside(node->input(i)) && node->input(i) != flag_ && !isTensor(node->input(i))) {
          node->replaceInput(i, follow(node->input(i)));
        }
      }
    };
    forEachNode(block, followInputs);
    followInputs(block->return_node());
  }

  Value* flag_;
  Node* user_;
  std::unordered_map<Node*, Node*> copies_;
};

}  // namespace

bool isTrainingFlag(const Value* value) {
  const Node* const node = value->node();
  return node->kind() == c10::prim::GetAttr && node->s(c10::attr::name) == "training" &&
         value->type()->kind() == c10::TypeKind::BoolType;
}

std::optional<bool> conditionInMode(bool training, const Module& module, const Node* branch) {
  const auto condition = resolveInMode(training, module, branch->input(0));
  return condition && condition->isBool() ? std::optional<bool>(condition->toBool()) : std::nullopt;
}

bool dependsOnTraining(const Value* value) {
  return Origins().haveFlag(value);
}

bool isTrainingBranch(const Module& module, const Node* branch) {
  if (!dependsOnTraining(branch->input(0))) {
    return false;
  }
  const auto in_training = conditionInMode(true, module, branch);
  return !in_training || in_training != conditionInMode(false, module, branch);
}

std::vector<Node*> trainingBranchesAround(const Module& module, const Node* node) {
  std::vector<Node*> branches;
  for (const Block* block = node->owningBlock(); block->owningNode() != nullptr;
       block = block->owningNode()->owningBlock()) {
    const Node* const owner = block->owningNode();
    if (owner->kind() == c10::prim::If && isTrainingBranch(module, owner)) {
      branches.push_back(const_cast<Node*>(owner));
    }
  }
  return branches;
}

bool isReachedInTraining(const Module& module, const Node* node) {
  for (const Block* block = node->owningBlock(); block->owningNode() != nullptr;
       block = block->owningNode()->owningBlock()) {
    const Node* const owner = block->owningNode();
    if (owner->kind() != c10::prim::If) {
      continue;
    }
    const auto condition = conditionInMode(true, module, owner);
    if (condition && owner->blocks()[*condition ? 0 : 1] != block) {
      return false;
    }
  }
  return true;
}

std::vector<std::string> changedByTraining(torch::jit::Graph& graph, const Module& module) {
  std::set<std::string> changed;
  const auto listTensors = [&changed](Block* block) {
    forEachNode(block, [&changed](const Node* inner) {
      if (inner->kind().is_aten() && std::ranges::any_of(inner->outputs(), &isTensor)) {
        changed.insert(opName(inner));
      }
    });
  };
  forEachNode(graph.block(), [&](Node* node) {
    if (node->kind() == c10::prim::If) {
      if (std::ranges::any_of(node->outputs(), &isTensor) && isTrainingBranch(module, node)) {
        std::ranges::for_each(node->blocks(), listTensors);
      }
      return;
    }
    if (!std::ranges::any_of(node->outputs(), &isTensor)) {
      return;
    }
    for (std::size_t i = 0; i < node->inputs().size(); ++i) {
      const Value* const scalar = node->input(i);
      if (isTensor(scalar) || !dependsOnTraining(scalar) || inputIndex(node, "train") == i ||
          inputIndex(node, "training") == i) {
        continue;
      }
      const auto in_training = resolveInMode(true, module, scalar);
      const auto in_inference = resolveInMode(false, module, scalar);
      if (!in_training || !in_inference || *in_training != *in_inference) {
        changed.insert(opName(node));
      }
    }
  });
  return {changed.begin(), changed.end()};
}

bool canFollowFlag(const Value* value, const std::set<const Node*>& followed) {
  if (isTrainingFlag(value) || !dependsOnTraining(value) || followed.contains(value->node())) {
    return true;
  }
  const Node* const node = value->node();
  bool is_plain = !hasEffects(node);
  for (const Block* block : node->blocks()) {
    forEachNode(const_cast<Block*>(block),
                [&](const Node* inner) { is_plain = is_plain && !hasEffects(inner); });
  }
  return is_plain && std::ranges::all_of(node->inputs(), [&](const Value* input) {
           return canFollowFlag(input, followed);
         });
}

Value* followFlag(Value* value, Value* flag, Node* user) {
  return FlagFollower(flag, user).follow(value);
}

}  // namespace dubito
