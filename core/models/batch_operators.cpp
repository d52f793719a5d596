// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/models/batch_operators_torch.h"
#include "core/models/graph_torch.h"
#include "core/models/prepare_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

namespace {

constexpr const char* kBranch = "a branch on a value of the batch (prim::If)";

/// Operators whose results tell the shape or type of a tensor, not its numbers.
bool readsNoNumbers(const std::string& op) {
  static constexpr std::array<const char*, 18> kOfShapes = {
      "aten::size",      "aten::dim",       "aten::len",           "aten::numel",
      "aten::stride",    "aten::sym_size",  "aten::is_contiguous", "aten::is_floating_point",
      "aten::__is__",    "aten::__isnot__", "prim::isinstance",    "prim::dtype",
      "prim::device",    "prim::is_cuda",   "prim::is_nested",     "prim::requires_grad",
      "prim::is_sparse", "aten::is_complex"};
  return std::ranges::any_of(kOfShapes, [&op](const char* name) { return op == name; });
}

}  // namespace

bool dependsOnInput(const Graph& graph, Value* value) {
  std::vector<Value*> front = {value};
  std::unordered_set<Value*> seen(front.begin(), front.end());
  const auto add = [&](Value* next) {
    if (seen.insert(next).second) {
      front.push_back(next);
    }
  };
  for (std::size_t i = 0; i < front.size(); ++i) {
    if (front[i] == graph.inputs().at(kNetInput)) {
      return true;
    }
    Node* const node = front[i]->node();
    if (readsNoNumbers(opName(node)) || node->kind() == c10::prim::Param) {
      continue;
    }
    for (Value* const input : node->inputs()) {
      add(input);
    }
    for (torch::jit::Block* const block : node->blocks()) {
      for (Value* const output : block->outputs()) {
        add(output);
      }
    }
  }
  return false;
}

void listBatchOps(Graph& graph, std::vector<std::string>& batch_ops) {
  forEachNode(graph.block(), [&](Node* node) {
    const std::string op = opName(node);
    if (op.starts_with("quantized::") && op.ends_with("_dynamic")) {
      batch_ops.push_back(op);
    }
    // A branch without results only checks something.
    if (node->kind() == c10::prim::If && !node->outputs().empty() &&
        dependsOnInput(graph, node->input(0))) {
      batch_ops.emplace_back(kBranch);
    }
  });
  std::sort(batch_ops.begin(), batch_ops.end());
  batch_ops.erase(std::unique(batch_ops.begin(), batch_ops.end()), batch_ops.end());
}

bool hasBatchBranch(const std::vector<std::string>& batch_ops) {
  return std::ranges::find(batch_ops, kBranch) != batch_ops.end();
}

}  // namespace dubito
