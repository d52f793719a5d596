// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/written_memory_torch.h"

#include <torch/csrc/jit/ir/alias_analysis.h>

#include <algorithm>

#include "core/models/graph_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

bool isReadOutside(const Node* node, const Value* written) {
  const auto inside = [node](const Node* user) {
    for (const torch::jit::Block* block = user->owningBlock(); block != nullptr;
         block = block->owningNode() == nullptr ? nullptr : block->owningNode()->owningBlock()) {
      if (block == node->owningBlock()) {
        return true;
      }
    }
    return false;
  };
  return std::any_of(written->uses().begin(), written->uses().end(),
                     [&](const auto& use) { return !inside(use.user) && use.user->isAfter(node); });
}

bool isSharedLater(Graph& graph, const Node* node) {
  const torch::jit::AliasDb aliases(graph.shared_from_this());
  const Value* const written = node->input(0);
  const Value* const result = node->outputs()[0];
  bool shared = false;
  const auto look = [&](const Value* value) {
    shared =
        shared || (value != written && value != result &&
                   value->type()->kind() == c10::TypeKind::TensorType &&
                   std::ranges::any_of(value->uses(),
                                       [&](const auto& use) { return use.user->isAfter(node); }) &&
                   aliases.mayAlias(written, value));
  };
  std::ranges::for_each(graph.inputs(), look);
  forEachNode(graph.block(),
              [&](const Node* other) { std::ranges::for_each(other->outputs(), look); });
  return shared;
}

}  // namespace dubito
