// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/jit/ir/alias_analysis.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/models/graph_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/prepare_torch.h"
#include "core/network/split_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

namespace {

/// Constants and weights are read where needed, on either side of the cut.
bool isReadAnywhere(const Node* node) {
  return node->kind() == c10::prim::Constant || node->kind() == c10::prim::GetAttr;
}

std::vector<Node*> outermostNodes(Graph& graph) {
  return {graph.nodes().begin(), graph.nodes().end()};
}

/// The outermost nodes that contain sites.
std::unordered_set<Node*> holdersOf(Graph& graph) {
  std::unordered_set<Node*> holders;
  for (const KeyedNode& keyed : keyedNodes(graph)) {
    holders.insert(outermostNode(keyed.node));
  }
  return holders;
}

/// Number of nodes before the first one that contains a site.
std::size_t positionOfFirstSite(Graph& graph, const std::vector<Node*>& nodes) {
  const std::unordered_set<Node*> holders = holdersOf(graph);
  const auto first = std::find_if(nodes.begin(), nodes.end(),
                                  [&](Node* node) { return holders.count(node) != 0; });
  return static_cast<std::size_t>(first - nodes.begin());
}

/// All values that `node` reads, including inside its blocks.
std::vector<Value*> valuesRead(Node* node) {
  std::vector<Value*> read(node->inputs().begin(), node->inputs().end());
  for (torch::jit::Block* block : node->blocks()) {
    forEachNode(block, [&read](Node* inner) {
      read.insert(read.end(), inner->inputs().begin(), inner->inputs().end());
    });
    read.insert(read.end(), block->outputs().begin(), block->outputs().end());
  }
  return read;
}

/// Whether the node itself allows one run to serve all draws.
bool canRunOnce(Node* node) {
  bool may = !node->isNondeterministic() && !node->hasSideEffects();
  for (torch::jit::Block* block : node->blocks()) {
    forEachNode(block, [&may](Node* inner) {
      may = may && !inner->isNondeterministic() && !inner->hasSideEffects();
    });
  }
  return may;
}

bool readsAny(Node* node, const std::unordered_set<Value*>& values) {
  const std::vector<Value*> read = valuesRead(node);
  return std::any_of(read.begin(), read.end(),
                     [&values](Value* value) { return values.count(value) != 0; });
}

/// Moves nodes that depend on the items but on no mask before the first site: a shortcut around a
/// residual block, sizes of the input. Nodes that depend on neither stay: they are cheap, and their
/// size may follow from crossing sizes.
void moveBeforeFirstSite(const std::shared_ptr<Graph>& graph) {
  const std::vector<Node*> nodes = outermostNodes(*graph);
  const std::unordered_set<Node*> holders = holdersOf(*graph);
  torch::jit::AliasDb aliases(graph);
  std::unordered_set<Value*> from_items = {graph->inputs()[kNetInput]};
  std::unordered_set<Value*> from_masks;
  Node* first = nullptr;
  for (Node* node : nodes) {
    const bool masked = holders.count(node) != 0 || readsAny(node, from_masks);
    first = first == nullptr && masked ? node : first;
    const bool of_items = readsAny(node, from_items);
    if (masked || of_items) {
      std::unordered_set<Value*>& origin = masked ? from_masks : from_items;
      origin.insert(node->outputs().begin(), node->outputs().end());
    }
    if (first != nullptr && !masked && of_items && !isReadAnywhere(node) && canRunOnce(node)) {
      // Refused if the node reads memory that a mask reached: it then stays.
      static_cast<void>(aliases.moveBeforeTopologicallyValid(node, first));
    }
  }
}

/// Identifies a value by the position of its node and its index among the node's outputs; valid in
/// every copy of the graph.
struct ValuePosition {
  std::size_t node = 0;
  std::size_t output = 0;
};

struct Cut {
  std::vector<ValuePosition> positions;
  std::vector<Value*> values;
  std::vector<bool> depends_on_items;
};

Cut findCut(Graph& graph, const std::vector<Node*>& nodes, std::size_t first) {
  std::unordered_map<Value*, ValuePosition> before;
  std::unordered_set<Value*> from_items = {graph.inputs()[kNetInput]};
  for (std::size_t i = 0; i < first; ++i) {
    const bool depends = readsAny(nodes[i], from_items);
    for (std::size_t k = 0; k < nodes[i]->outputs().size(); ++k) {
      if (!isReadAnywhere(nodes[i])) {
        before.emplace(nodes[i]->outputs()[k], ValuePosition{i, k});
      }
      if (depends) {
        from_items.insert(nodes[i]->outputs()[k]);
      }
    }
  }
  Cut cut;
  std::unordered_set<Value*> taken;
  const auto take = [&](Value* value) {
    const auto found = before.find(value);
    if (found != before.end() && taken.insert(value).second) {
      cut.positions.push_back(found->second);
      cut.values.push_back(value);
      cut.depends_on_items.push_back(from_items.count(value) != 0);
    }
  };
  for (std::size_t i = first; i < nodes.size(); ++i) {
    for (Value* value : valuesRead(nodes[i])) {
      take(value);
    }
  }
  for (Value* output : graph.outputs()) {
    take(output);
  }
  return cut;
}

/// Destroys the unused nodes in [begin, end), last first.
void destroyNodes(const std::vector<Node*>& nodes, std::size_t begin, std::size_t end) {
  for (std::size_t i = end; i-- > begin;) {
    if (!nodes[i]->hasUses()) {
      nodes[i]->destroy();
    }
  }
}

std::shared_ptr<Graph> makePrefix(Graph& graph, const Cut& cut, std::size_t first) {
  std::shared_ptr<Graph> prefix = graph.copy();
  const std::vector<Node*> nodes = outermostNodes(*prefix);
  while (!prefix->outputs().empty()) {
    prefix->eraseOutput(0);
  }
  for (const ValuePosition& position : cut.positions) {
    prefix->registerOutput(nodes[position.node]->outputs()[position.output]);
  }
  destroyNodes(nodes, first, nodes.size());
  return prefix;
}

std::shared_ptr<Graph> makeSuffix(Graph& graph, const Cut& cut, std::size_t first) {
  std::shared_ptr<Graph> suffix = graph.copy();
  const std::vector<Node*> nodes = outermostNodes(*suffix);
  for (const ValuePosition& position : cut.positions) {
    Value* const value = nodes[position.node]->outputs()[position.output];
    Value* const input = suffix->addInput();
    input->setType(value->type());
    value->replaceAllUsesWith(input);
  }
  destroyNodes(nodes, 0, first);
  return suffix;
}

/// Whether the suffix writes into a crossing value; `entangled` if two of them share memory, so
/// that copying would separate them.
bool writesInto(const std::shared_ptr<Graph>& graph, const std::vector<Node*>& nodes,
                std::size_t first, const std::vector<Value*>& values, bool& entangled) {
  const torch::jit::AliasDb aliases(graph);
  bool writes = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      entangled = entangled || aliases.mayContainAlias(values[i], values[j]);
    }
  }
  const torch::jit::ValueSet crossing(values.begin(), values.end());
  for (std::size_t i = first; i < nodes.size(); ++i) {
    writes = writes || aliases.writesToAlias(nodes[i], crossing);
  }
  return writes;
}

}  // namespace

SplitNetwork splitAtFirstSite(Graph& graph) {
  SplitNetwork split;
  const std::shared_ptr<Graph> whole = graph.copy();
  moveBeforeFirstSite(whole);
  const std::vector<Node*> nodes = outermostNodes(*whole);
  const std::size_t first = positionOfFirstSite(*whole, nodes);
  const Cut cut = findCut(*whole, nodes, first);
  std::vector<Value*> crossing = cut.values;
  crossing.push_back(whole->inputs()[kNetInput]);
  bool entangled = false;
  split.writes_inputs = writesInto(whole, nodes, first, crossing, entangled);
  if (split.writes_inputs && entangled) {
    split.suffix = whole;
    return split;
  }
  split.depends_on_items = cut.depends_on_items;
  split.prefix = makePrefix(*whole, cut, first);
  split.suffix = makeSuffix(*whole, cut, first);
  split.prefix->lint();
  split.suffix->lint();
  split.reads_items = split.suffix->inputs()[kNetInput]->hasUses();
  return split;
}

}  // namespace dubito
