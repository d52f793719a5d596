// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/own_state_torch.h"

#include <ATen/core/ivalue.h>

#include <unordered_set>
#include <vector>

#include "core/models/graph_torch.h"

namespace dubito {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;

namespace {

/// Finds the attributes whose memory a graph may write into. Values that may be in the memory of
/// others are followed back; more are found than are written, never fewer.
class WrittenAttributes {
 public:
  WrittenAttributes(const Module& module, Graph& graph) : module_(module) {
    forEachNode(graph.block(), [this](Node* node) { addWrites(node); });
    while (!open_.empty()) {
      const Value* const value = open_.back();
      open_.pop_back();
      followBack(value);
    }
  }

  /// False if a part of the program is not in the graph.
  [[nodiscard]] bool areKnown() const { return are_known_; }
  [[nodiscard]] bool contain(const at::Tensor& tensor) const {
    return !tensor.has_storage() || storages_.contains(tensor.storage().unsafeGetStorageImpl());
  }

 private:
  void addWrites(const Node* node) {
    if (node->kind() == c10::prim::CallMethod || node->kind() == c10::prim::CallFunction ||
        node->hasAttribute(c10::attr::Subgraph)) {
      are_known_ = false;
    }
    // The schemas of normalisation do not state that it updates its statistics.
    for (const char* const statistic : {"running_mean", "running_var"}) {
      if (const auto input = inputIndex(node, statistic)) {
        add(node->input(*input));
      }
    }
    const c10::FunctionSchema* const schema = node->maybeSchema();
    for (std::size_t i = 0; schema != nullptr && i < schema->arguments().size(); ++i) {
      const auto* const alias = schema->arguments()[i].alias_info();
      if (alias != nullptr && alias->isWrite() && i < node->inputs().size()) {
        add(node->input(i));
      }
    }
  }

  void add(const Value* value) {
    if (seen_.insert(value).second) {
      open_.push_back(value);
    }
  }

  void followBack(const Value* value) {
    if (const auto state = attributePath(value) ? resolveValue(module_, value) : std::nullopt) {
      state->visit([this](const c10::IValue& part) {
        if (part.isTensor() && part.toTensor().defined() && part.toTensor().has_storage()) {
          storages_.insert(part.toTensor().storage().unsafeGetStorageImpl());
        }
        return false;
      });
      return;
    }
    const Node* const node = value->node();
    if (node->kind() == c10::prim::Param) {
      if (const Node* const loop = node->owningBlock()->owningNode(); loop != nullptr) {
        addAllOf(loop);
      }
    } else if (!node->blocks().empty()) {
      addAllOf(node);
    } else if (mayReturnInput(node, value->offset())) {
      for (const Value* const input : node->inputs()) {
        add(input);
      }
    }
  }

  /// What enters a branch or loop, and what its blocks return.
  void addAllOf(const Node* node) {
    for (const Value* const input : node->inputs()) {
      add(input);
    }
    for (const Block* const block : node->blocks()) {
      for (const Value* const output : block->outputs()) {
        add(output);
      }
    }
  }

  /// Whether an output may be in the memory of an input: a view, an element of a list.
  [[nodiscard]] static bool mayReturnInput(const Node* node, std::size_t output) {
    const c10::FunctionSchema* const schema = node->maybeSchema();
    if (schema == nullptr || output >= schema->returns().size()) {
      return true;
    }
    // Dropout that is off returns its input, which its schema does not state.
    return schema->returns()[output].alias_info() != nullptr ||
           opName(node).find("dropout") != std::string::npos;
  }

  const Module& module_;
  bool are_known_ = true;
  std::unordered_set<const Value*> seen_;
  std::vector<const Value*> open_;  ///< not followed yet
  std::unordered_set<const void*> storages_;
};

}  // namespace

Module withOwnState(const Module& module, Graph& graph) {
  const WrittenAttributes written(module, graph);
  if (!written.areKnown()) {
    return module.deepcopy();
  }
  // What stands for itself here is not copied.
  c10::IValue::HashIdentityIValueMap copies;
  c10::IValue(module._ivalue()).visit([&](const c10::IValue& part) {
    if (part.isTensor() && part.toTensor().defined() && !written.contain(part.toTensor())) {
      copies.emplace(part, part);
    }
    return false;
  });
  return Module(module._ivalue()->deepcopy(copies));
}

}  // namespace dubito
