// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/written_memory_torch.h"

#include <torch/csrc/jit/ir/alias_analysis.h>

#include <algorithm>
#include <functional>

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

namespace {

/// Whether a value for which `counts` is true, read after `node`, may be in the memory of `memory`.
bool isReadLater(Graph& graph, const torch::jit::AliasDb& aliases, const Value* memory,
                 const Node* node, const std::function<bool(const Value*)>& counts) {
  bool is_read = false;
  const auto look = [&](const Value* value) {
    is_read =
        is_read || (counts(value) && isTensor(value) &&
                    std::ranges::any_of(value->uses(),
                                        [&](const auto& use) { return use.user->isAfter(node); }) &&
                    aliases.mayAlias(memory, value));
  };
  std::ranges::for_each(graph.inputs(), look);
  forEachNode(graph.block(),
              [&](const Node* other) { std::ranges::for_each(other->outputs(), look); });
  return is_read;
}

}  // namespace

bool isSharedLater(Graph& graph, const Node* node) {
  const torch::jit::AliasDb aliases(graph.shared_from_this());
  const Value* const written = node->input(0);
  const Value* const result = node->outputs()[0];
  return isReadLater(graph, aliases, written, node,
                     [&](const Value* value) { return value != written && value != result; });
}

bool wouldShareWrites(Graph& graph, const Value* x, const Value* result, const Node* node) {
  const torch::jit::AliasDb aliases(graph.shared_from_this());
  if (!aliases.hasWriters(x) && !aliases.hasWriters(result)) {
    return false;
  }
  return isReadLater(graph, aliases, x, node, [](const Value*) { return true; });
}

}  // namespace dubito
