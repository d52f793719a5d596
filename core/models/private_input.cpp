// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/jit/ir/alias_analysis.h>

#include <algorithm>

#include "core/models/prepare_torch.h"

namespace dubito {
namespace {

/// Whether any node, also inside blocks, may write into memory that the input shares.
bool writesToInput(const std::shared_ptr<torch::jit::Graph>& graph) {
  const torch::jit::AliasDb aliases(graph);
  const torch::jit::ValueSet input{graph->inputs()[kNetInput]};
  return std::any_of(graph->nodes().begin(), graph->nodes().end(),
                     [&](torch::jit::Node* node) { return aliases.writesToAlias(node, input); });
}

}  // namespace

void workOnCopyOfInput(const std::shared_ptr<torch::jit::Graph>& graph) {
  if (graph->nodes().begin() == graph->nodes().end() || !writesToInput(graph)) {
    return;
  }
  torch::jit::Value* const input = graph->inputs()[kNetInput];
  const torch::jit::WithInsertPoint at_start(*graph->nodes().begin());
  torch::jit::Value* const same_layout = graph->insertConstant(c10::IValue());
  torch::jit::Node* const copy =
      graph->insertNode(graph->create(c10::aten::clone, {input, same_layout}));
  copy->output()->setType(input->type());
  input->replaceAllUsesAfterNodeWith(copy, copy->output());
}

}  // namespace dubito
