// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/attach_weights_torch.h"

#include <string>

#include "core/models/program/module_tree_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Value;

Module attachWeights(const std::shared_ptr<torch::jit::CompilationUnit>& unit,
                     const std::shared_ptr<Graph>& graph, std::size_t input_count,
                     std::vector<ProgramWeight> weights) {
  ModuleTree tree(unit);
  std::vector<std::vector<std::string>> names;
  for (ProgramWeight& weight : weights) {
    names.push_back(tree.add(weight.path, weight.values, weight.is_parameter));
    weight.values = at::Tensor();
  }
  // The type is complete only now.
  Value* const self = graph->insertInput(0, "self")->setType(tree.network().type());
  const torch::jit::WithInsertPoint at_start(*graph->nodes().begin());
  AttributeReader reader(*graph, self);
  const std::size_t first = input_count + 1;
  names.push_back({"training"});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (Value* const input = graph->inputs()[first + i]; input->hasUses()) {
      input->replaceAllUsesWith(reader.read(names[i]));
    }
  }
  for (std::size_t i = names.size(); i-- > 0;) {
    graph->eraseInput(first + i);
  }
  for (std::size_t i = 0; i < input_count; ++i) {
    graph->inputs()[i + 1]->setDebugName("x" + std::to_string(i));
  }
  tree.setForward(graph);
  return tree.network();
}

}  // namespace dubito
