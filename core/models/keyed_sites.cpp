// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/constant_propagation.h>

#include <algorithm>
#include <array>

#include "core/models/graph_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/prepare_torch.h"

namespace dubito {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

constexpr const char* kKeyedDropout = "dubito::keyed_dropout";
constexpr const char* kKeyedUnitDropout = "dubito::keyed_unit_dropout";
constexpr const char* kKeyedItemDropout = "dubito::keyed_item_dropout";
constexpr const char* kKeyedRandom = "dubito::keyed_random";
constexpr const char* kDraws = "dubito::draws";

/// An operator with internal dropout and its keyed twin. Their arguments are in the same order; the
/// twin also has the key, and no `train`.
struct Twin {
  const char* plain;
  const char* keyed;
  const char* rate_argument;  ///< of the plain operator
};

constexpr std::array<Twin, 5> kTwins = {{
    {"aten::scaled_dot_product_attention", "dubito::keyed_attention", "dropout_p"},
    {"aten::lstm", "dubito::keyed_lstm", "dropout"},
    {"aten::gru", "dubito::keyed_gru", "dropout"},
    {"aten::rnn_tanh", "dubito::keyed_rnn_tanh", "dropout"},
    {"aten::rnn_relu", "dubito::keyed_rnn_relu", "dropout"},
}};

const Twin* findTwin(const std::string& op) {
  const auto* const found = std::find_if(kTwins.begin(), kTwins.end(), [&op](const Twin& twin) {
    return op == twin.plain || op == twin.keyed;
  });
  return found == kTwins.end() ? nullptr : found;
}

/// Number of earlier executions of the insertion point in this pass.
Value* executionHere(Graph& graph) {
  std::vector<Value*> trips;
  for (Block* block = graph.insertPoint()->owningBlock(); block->owningNode() != nullptr;
       block = block->owningNode()->owningBlock()) {
    if (block->owningNode()->kind() == c10::prim::Loop) {
      trips.push_back(block->inputs()[0]);
    }
  }
  if (trips.empty()) {
    return graph.insertConstant(0);
  }
  Value* execution = trips.back();
  for (std::size_t i = trips.size() - 1; i-- > 0;) {
    execution =
        graph.insert(c10::Symbol::fromQualString("dubito::nth_execution"), {execution, trips[i]});
  }
  return execution;
}

/// A number for every execution of every operator of the site.
Value* executionOf(Graph& graph, const KeyedDraw& draw) {
  Value* const execution = executionHere(graph);
  if (draw.count == 1) {
    return execution;
  }
  Value* const position = graph.insertConstant(draw.position);
  if (torch::jit::toIValue(execution)) {
    return position;
  }
  Value* const first = graph.insert(c10::aten::mul, {execution, graph.insertConstant(draw.count)});
  return graph.insert(c10::aten::add, {first, position});
}

/// Makes flags of insertDraws() constants: `value` for those whose sites are `chosen`.
void settleBranches(Graph& graph, bool value,
                    const std::function<bool(const std::vector<std::int64_t>&)>& chosen) {
  bool is_settled = true;
  forEachNode(graph.block(), [&](Node* node) {
    if (opName(node) != kDraws || !chosen(torch::jit::toIValue(node->input(1))->toIntVector())) {
      return;
    }
    const WithInsertPoint here(node);
    node->output()->replaceAllUsesWith(graph.insertConstant(value));
    node->destroy();
    is_settled = false;
  });
  if (!is_settled) {
    std::shared_ptr<Graph> shared = graph.shared_from_this();
    torch::jit::ConstantPropagation(shared);
  }
}

/// Replaces `node` by one of another operator with the same results.
void replaceNode(Graph& graph, Node* node, const char* op, const std::vector<Value*>& inputs) {
  Node* const other = graph.create(c10::Symbol::fromQualString(op), inputs, node->outputs().size());
  other->insertBefore(node);
  other->copyMetadata(node);
  for (std::size_t i = 0; i < node->outputs().size(); ++i) {
    other->outputs()[i]->setType(node->outputs()[i]->type());
    node->outputs()[i]->replaceAllUsesWith(other->outputs()[i]);
  }
  node->destroy();
}

/// Replaces a dropout with a rate per unit by one with `drop_rate` for all.
void useOneRate(Graph& graph, const KeyedNode& keyed, double drop_rate) {
  Node* const node = keyed.node;
  const auto constant = [node](const char* argument) {
    return torch::jit::toIValue(node->input(inputIndex(node, argument).value())).value();
  };
  Value* const item_axis = graph.insertConstant(constant("item_axis"));
  Value* const result =
      insertKeyedDropout(graph, node->input(0), graph.insertConstant(drop_rate),
                         {.site = keyed.site, .feature = constant("feature").toBool()});
  result->node()->replaceInput(inputIndex(result->node(), "item_axis").value(), item_axis);
  node->output()->replaceAllUsesWith(result);
  node->destroy();
}

void restorePlain(Graph& graph, Node* node, const Twin& twin) {
  const WithInsertPoint here(node);
  const std::size_t rate = inputIndex(node, "drop_rate").value();
  const std::size_t key = inputIndex(node, "seed").value();
  std::vector<Value*> inputs(node->inputs().begin(),
                             node->inputs().begin() + static_cast<std::ptrdiff_t>(key));
  inputs[rate] = graph.insertConstant(0.0);
  if (std::string(twin.rate_argument) == "dropout") {
    inputs.insert(inputs.begin() + static_cast<std::ptrdiff_t>(rate) + 1,
                  graph.insertConstant(false));
  }
  replaceNode(graph, node, twin.plain, inputs);
}

}  // namespace

void addKeyInputs(Graph& graph) {
  graph.addInput("seed")->setType(c10::IntType::get());
  graph.addInput("items")->setType(c10::TensorType::get());
  graph.addInput("draws")->setType(c10::TensorType::get());
}

Value* insertKeyedDropout(Graph& graph, Value* x, Value* drop_rate, const KeyedSite& site) {
  return graph.insert(c10::Symbol::fromQualString(kKeyedDropout),
                      {x, drop_rate, graph.inputs()[kSeedInput], graph.inputs()[kItemsInput],
                       graph.inputs()[kDrawsInput], graph.insertConstant(site.site),
                       executionHere(graph), graph.insertConstant(site.feature),
                       graph.insertConstant(site.alpha), graph.insertConstant(0)});
}

Value* insertKeyedUnitDropout(Graph& graph, Value* x, Value* drop_rates, const KeyedSite& site) {
  return graph.insert(
      c10::Symbol::fromQualString(kKeyedUnitDropout),
      {x, drop_rates, graph.inputs()[kSeedInput], graph.inputs()[kItemsInput],
       graph.inputs()[kDrawsInput], graph.insertConstant(site.site), executionHere(graph),
       graph.insertConstant(site.feature), graph.insertConstant(0)});
}

Value* insertKeyedItemDropout(Graph& graph, Value* x, Value* drop_rate, std::int64_t site) {
  return graph.insert(
      c10::Symbol::fromQualString(kKeyedItemDropout),
      {x, drop_rate, graph.inputs()[kSeedInput], graph.inputs()[kItemsInput],
       graph.inputs()[kDrawsInput], graph.insertConstant(site), executionHere(graph)});
}

Value* insertKeyedRandom(Graph& graph, Value* like, const std::string& distribution, Value* a,
                         Value* b, const KeyedDraw& draw) {
  return graph.insert(
      c10::Symbol::fromQualString(kKeyedRandom),
      {like, graph.insertConstant(distribution), a, b, graph.inputs()[kSeedInput],
       graph.inputs()[kItemsInput], graph.inputs()[kDrawsInput], graph.insertConstant(draw.site),
       executionOf(graph, draw), graph.insertConstant(0)});
}

Value* insertDraws(Graph& graph, const std::vector<std::int64_t>& sites) {
  // The seed is no constant, so that no pass takes the flag for one.
  return graph.insert(c10::Symbol::fromQualString(kDraws),
                      {graph.inputs()[kSeedInput], graph.insertConstant(sites)});
}

bool hasKeyedVersion(const std::string& op) {
  const Twin* const twin = findTwin(op);
  return twin != nullptr && op == twin->plain;
}

void replaceWithKeyedVersion(Graph& graph, Node* node, double drop_rate, std::int64_t site) {
  const Twin& twin = *findTwin(opName(node));
  const WithInsertPoint here(node);
  const std::size_t rate = inputIndex(node, twin.rate_argument).value();
  std::vector<Value*> inputs(node->inputs().begin(), node->inputs().end());
  inputs[rate] = graph.insertConstant(drop_rate);
  if (const auto train = inputIndex(node, "train")) {
    inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(*train));
  }
  for (const PreparedInput key : {kSeedInput, kItemsInput, kDrawsInput}) {
    inputs.push_back(graph.inputs()[key]);
  }
  inputs.push_back(graph.insertConstant(site));
  inputs.push_back(executionHere(graph));
  replaceNode(graph, node, twin.keyed, inputs);
}

std::int64_t loopDepth(const Node* node) {
  std::int64_t depth = 0;
  for (const Node* owner = node->owningBlock()->owningNode(); owner != nullptr;
       owner = owner->owningBlock()->owningNode()) {
    depth += owner->kind() == c10::prim::Loop ? 1 : 0;
  }
  return depth;
}

bool isPureDropout(const Node* node) {
  const std::string op = opName(node);
  return op == kKeyedDropout || op == kKeyedUnitDropout || op == kKeyedItemDropout;
}

bool isKeyed(const Node* node) {
  const std::string op = opName(node);
  const Twin* const twin = findTwin(op);
  return isPureDropout(node) || op == kKeyedRandom || (twin != nullptr && op == twin->keyed);
}

std::vector<KeyedNode> keyedNodes(Graph& graph) {
  std::vector<KeyedNode> found;
  forEachNode(graph.block(), [&found](Node* node) {
    if (isKeyed(node)) {
      const std::size_t site = inputIndex(node, "site").value();
      found.push_back({node, torch::jit::toIValue(node->input(site))->toInt()});
    }
  });
  return found;
}

void keepSites(Graph& graph, const std::function<bool(std::int64_t)>& keep) {
  for (const KeyedNode& keyed : keyedNodes(graph)) {
    // Random numbers disappear with their branch.
    if (keep(keyed.site) || opName(keyed.node) == kKeyedRandom) {
      continue;
    }
    if (const Twin* const twin = findTwin(opName(keyed.node))) {
      restorePlain(graph, keyed.node, *twin);
    } else {
      keyed.node->output()->replaceAllUsesWith(keyed.node->input(0));
      keyed.node->destroy();
    }
  }
  settleBranches(graph, false, [&keep](const std::vector<std::int64_t>& sites) {
    return std::ranges::none_of(sites, keep);
  });
}

bool takesDrawingBranches(Graph& graph) {
  bool takes = false;
  forEachNode(graph.block(),
              [&takes](const Node* node) { takes = takes || opName(node) == kDraws; });
  return takes;
}

void takeDrawingBranches(Graph& graph) {
  settleBranches(graph, true, [](const std::vector<std::int64_t>&) { return true; });
}

void setDropRate(Graph& graph, double drop_rate) {
  for (const KeyedNode& keyed : keyedNodes(graph)) {
    const WithInsertPoint here(keyed.node);
    if (opName(keyed.node) == kKeyedUnitDropout) {
      useOneRate(graph, keyed, drop_rate);
    } else if (const auto rate = inputIndex(keyed.node, "drop_rate")) {
      keyed.node->replaceInput(*rate, graph.insertConstant(drop_rate));
    }
  }
}

bool setItemAxis(Graph& graph, std::int64_t site, std::int64_t axis) {
  bool is_set = false;
  for (const KeyedNode& keyed : keyedNodes(graph)) {
    if (keyed.site != site) {
      continue;
    }
    const auto input = inputIndex(keyed.node, "item_axis");
    if (!input) {
      return false;
    }
    const WithInsertPoint here(keyed.node);
    keyed.node->replaceInput(*input, graph.insertConstant(axis));
    is_set = true;
  }
  return is_set;
}

}  // namespace dubito
