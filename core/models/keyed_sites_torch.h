// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dubito {

/// A node of a prepared graph with keyed dropout: `dubito::keyed_dropout`, `keyed_unit_dropout`,
/// `keyed_item_dropout`, `keyed_attention`, or a recurrent operator.
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

/// Whether an operator (attention, recurrent) has a version with keyed dropout.
[[nodiscard]] bool hasKeyedVersion(const std::string& op);

/// Replaces `node` with its version with keyed dropout and destroys `node`.
void replaceWithKeyedVersion(torch::jit::Graph& graph, torch::jit::Node* node, double drop_rate,
                             std::int64_t site);

/// Number of nested loops that contain a node.
[[nodiscard]] std::int64_t loopDepth(const torch::jit::Node* node);

/// Whether a node only applies keyed dropout to its first input.
[[nodiscard]] bool isPureDropout(const torch::jit::Node* node);
/// Whether a node is one of those listed at KeyedNode.
[[nodiscard]] bool isKeyed(const torch::jit::Node* node);
/// All nodes with keyed dropout, in execution order.
[[nodiscard]] std::vector<KeyedNode> keyedNodes(torch::jit::Graph& graph);

/// Removes every dropout site for which `keep` is false.
void keepSites(torch::jit::Graph& graph, const std::function<bool(std::int64_t site)>& keep);

/// Sets the drop rate of every remaining site; those with a rate per unit get this one for all.
void setDropRate(torch::jit::Graph& graph, double drop_rate);

/// Sets the axis of a site's input that indexes the items. Returns false if the site is not a plain
/// dropout.
[[nodiscard]] bool setItemAxis(torch::jit::Graph& graph, std::int64_t site, std::int64_t axis);

}  // namespace dubito
