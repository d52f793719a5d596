// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dubito {

/// One node of a prepared graph that drops by key: `dubito::keyed_dropout`, `keyed_item_dropout`,
/// `keyed_attention`, or a recurrent operator.
struct KeyedNode {
  torch::jit::Node* node = nullptr;
  std::int64_t site = 0;
};

/// Adds the inputs seed, items and draws after those that are there.
void addKeyInputs(torch::jit::Graph& graph);

/// Which keyed dropout to insert; see KeyedDropoutForm.
struct KeyedSite {
  std::int64_t site = 0;
  bool feature = false;
  bool alpha = false;
};

/// A keyed dropout of `x` at the graph's insertion point; returns its result. Inside loops every
/// iteration counts as an execution of its own.
torch::jit::Value* insertKeyedDropout(torch::jit::Graph& graph, torch::jit::Value* x,
                                      torch::jit::Value* drop_rate, const KeyedSite& site);

/// The same for stochastic depth: one decision for each item.
torch::jit::Value* insertKeyedItemDropout(torch::jit::Graph& graph, torch::jit::Value* x,
                                          torch::jit::Value* drop_rate, std::int64_t site);

/// Whether an operator (attention, recurrent) has a keyed twin.
[[nodiscard]] bool hasKeyedTwin(const std::string& op);

/// Puts the keyed twin in the node's place; the node is destroyed.
void replaceByKeyedTwin(torch::jit::Graph& graph, torch::jit::Node* node, double drop_rate,
                        std::int64_t site);

/// Number of loops around a node.
[[nodiscard]] std::int64_t loopDepth(const torch::jit::Node* node);

/// Whether a node hands on its first input with parts of it dropped by key, and does nothing else.
[[nodiscard]] bool onlyDrops(const torch::jit::Node* node);
[[nodiscard]] bool isKeyed(const torch::jit::Node* node);
/// In execution order.
[[nodiscard]] std::vector<KeyedNode> keyedNodes(torch::jit::Graph& graph);

/// Takes out every site for which `keep` is false.
void keepSites(torch::jit::Graph& graph, const std::function<bool(std::int64_t site)>& keep);

/// Sets the drop rate of every site that is left.
void setDropRate(torch::jit::Graph& graph, double drop_rate);

/// Says on which axis a site's input has its items. False where the site is no plain dropout.
[[nodiscard]] bool setItemAxis(torch::jit::Graph& graph, std::int64_t site, std::int64_t axis);

}  // namespace dubito
