// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dubito {

/// A node of a prepared graph that draws by key: `dubito::keyed_dropout`, `keyed_unit_dropout`,
/// `keyed_item_dropout`, `keyed_attention`, a recurrent operator, or `keyed_random`.
struct KeyedNode {
  torch::jit::Node* node = nullptr;
  std::int64_t site = 0;
};

/// Appends the inputs seed, items and draws to the graph.
void addKeyInputs(torch::jit::Graph& graph);

/// The keyed dropout to insert; see KeyedDropoutForm.
struct KeyedSite {
  std::int64_t site = 0;
  bool feature = false;
  bool alpha = false;
};

/// Inserts keyed dropout on `x` at the graph's insertion point; returns its result. Inside loops,
/// every iteration counts as a separate execution.
torch::jit::Value* insertKeyedDropout(torch::jit::Graph& graph, torch::jit::Value* x,
                                      torch::jit::Value* drop_rate, const KeyedSite& site);

/// As above with a tensor of drop rates, one per unit; no alpha dropout.
torch::jit::Value* insertKeyedUnitDropout(torch::jit::Graph& graph, torch::jit::Value* x,
                                          torch::jit::Value* drop_rates, const KeyedSite& site);

/// As above, for stochastic depth: one decision per item.
torch::jit::Value* insertKeyedItemDropout(torch::jit::Graph& graph, torch::jit::Value* x,
                                          torch::jit::Value* drop_rate, std::int64_t site);

/// One of the operators of a site that draw other numbers than masks of dropout.
struct KeyedDraw {
  std::int64_t site = 0;
  std::int64_t position = 0;  ///< of the operator among those of the site
  std::int64_t count = 1;     ///< number of operators of the site
};

/// Inserts keyed random numbers of the shape of `like`; see keyedRandom for the distributions. `a`
/// and `b` are numbers.
torch::jit::Value* insertKeyedRandom(torch::jit::Graph& graph, torch::jit::Value* like,
                                     const std::string& distribution, torch::jit::Value* a,
                                     torch::jit::Value* b, const KeyedDraw& draw);

/// Inserts a flag that is true while one of the sites is on: the training flag of what these sites
/// draw. keepSites() makes it false.
torch::jit::Value* insertDraws(torch::jit::Graph& graph, const std::vector<std::int64_t>& sites);

/// Whether an operator (attention, recurrent) has a version with keyed dropout.
[[nodiscard]] bool hasKeyedVersion(const std::string& op);

/// Replaces `node` with its version with keyed dropout and destroys `node`.
void replaceWithKeyedVersion(torch::jit::Graph& graph, torch::jit::Node* node, double drop_rate,
                             std::int64_t site);

/// Number of nested loops that contain a node.
[[nodiscard]] std::int64_t loopDepth(const torch::jit::Node* node);
/// Deepest nesting in which every execution has a number.
inline constexpr std::int64_t kMaxLoops = 2;
inline constexpr const char* kTooManyLoops = "it runs inside three or more nested loops";

/// Whether a node only applies keyed dropout to its first input.
[[nodiscard]] bool isPureDropout(const torch::jit::Node* node);
/// Whether a node is one of those listed at KeyedNode.
[[nodiscard]] bool isKeyed(const torch::jit::Node* node);
/// All nodes with keyed dropout, in execution order.
[[nodiscard]] std::vector<KeyedNode> keyedNodes(torch::jit::Graph& graph);

/// Removes every site for which `keep` is false. Branches of insertDraws() without a kept site take
/// their inference side.
void keepSites(torch::jit::Graph& graph, const std::function<bool(std::int64_t site)>& keep);

/// Whether a graph has branches of insertDraws().
[[nodiscard]] bool takesDrawingBranches(torch::jit::Graph& graph);
/// Makes the flags of insertDraws() constants, so that only the sides that draw remain.
void takeDrawingBranches(torch::jit::Graph& graph);

/// Sets the drop rate of every remaining site that has one; those with a rate per unit get this one
/// for all.
void setDropRate(torch::jit::Graph& graph, double drop_rate);

/// Sets the axis of a site's input that indexes the items. Returns false if the site's operators do
/// not have that choice (attention, stochastic depth).
[[nodiscard]] bool setItemAxis(torch::jit::Graph& graph, std::int64_t site, std::int64_t axis);

}  // namespace dubito
