// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/jit/ir/constants.h>

#include "core/models/graph_torch.h"
#include "core/models/prepare_torch.h"
#include "core/models/sites_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

const c10::Symbol& keyedDropoutSymbol() {
  static const c10::Symbol symbol = c10::Symbol::fromQualString("dubito::keyed_dropout");
  return symbol;
}

constexpr std::size_t kRateArgument = 1;
constexpr std::size_t kSiteArgument = 5;

}  // namespace

void addKeyInputs(Graph& graph) {
  graph.addInput("seed")->setType(c10::IntType::get());
  graph.addInput("items")->setType(c10::TensorType::get());
  graph.addInput("draws")->setType(c10::TensorType::get());
}

Value* insertKeyedDropout(Graph& graph, Value* x, Value* drop_rate, std::int64_t site,
                          bool feature) {
  return graph.insert(
      keyedDropoutSymbol(),
      {x, drop_rate, graph.inputs()[kSeedInput], graph.inputs()[kItemsInput],
       graph.inputs()[kDrawsInput], graph.insertConstant(site), graph.insertConstant(feature)});
}

std::vector<KeyedNode> keyedNodes(Graph& graph) {
  std::vector<KeyedNode> found;
  eachNode(graph.block(), [&found](Node* node) {
    if (node->kind() == keyedDropoutSymbol()) {
      found.push_back({node, torch::jit::toIValue(node->input(kSiteArgument))->toInt()});
    }
  });
  return found;
}

void keepSites(Graph& graph, const std::function<bool(std::int64_t)>& keep) {
  for (const KeyedNode& keyed : keyedNodes(graph)) {
    if (!keep(keyed.site)) {
      keyed.node->output()->replaceAllUsesWith(keyed.node->input(0));
      keyed.node->destroy();
    }
  }
}

void setDropRate(Graph& graph, double drop_rate) {
  for (const KeyedNode& keyed : keyedNodes(graph)) {
    const WithInsertPoint here(keyed.node);
    keyed.node->replaceInput(kRateArgument, graph.insertConstant(drop_rate));
  }
}

}  // namespace dubito
