// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/jit/passes/autocast.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/peephole.h>

#include "core/models/autocast_torch.h"
#include "core/models/graph_torch.h"

namespace dubito {

using torch::jit::Node;
using torch::jit::Value;

namespace {

bool isAutocast(const Value* value) {
  const auto type = value->type()->cast<c10::ClassType>();
  return type != nullptr && type->name() && type->name()->name() == "autocast";
}

/// Whether a node only makes, enters, changes or leaves an autocast block.
bool servesAutocast(const Node* node) {
  if (node->kind() == c10::prim::CreateObject) {
    return isAutocast(node->output());
  }
  const bool is_step = node->kind() == c10::prim::Enter || node->kind() == c10::prim::Exit ||
                       node->kind() == c10::prim::SetAttr;
  return is_step && isAutocast(node->input(0));
}

}  // namespace

void writeOutAutocast(std::shared_ptr<torch::jit::Graph>& graph) {
  bool is_used = false;
  forEachNode(graph->block(), [&is_used](const Node* node) {
    is_used = is_used || (node->kind() == c10::prim::Enter && isAutocast(node->input(0)));
  });
  if (!is_used) {
    return;
  }
  // The pass reads the options of a block from constants.
  torch::jit::PeepholeOptimize(graph, /*disable_shape_peepholes=*/true);
  torch::jit::ConstantPropagationImmutableTypes(graph);
  torch::jit::Autocast(graph);
  std::vector<Node*> steps;
  forEachNode(graph->block(), [&steps](Node* node) {
    if (servesAutocast(node)) {
      steps.push_back(node);
    }
  });
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (!(*step)->hasUses()) {
      (*step)->destroy();
    }
  }
}

}  // namespace dubito
