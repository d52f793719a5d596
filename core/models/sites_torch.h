// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace dubito {

/// One `dubito::keyed_dropout` node of a prepared graph.
struct KeyedNode {
  torch::jit::Node* node = nullptr;
  std::int64_t site = 0;
};

/// Adds the inputs seed, items and draws after those that are there.
void addKeyInputs(torch::jit::Graph& graph);

/// A keyed dropout of `x` at the graph's insertion point; returns its result.
torch::jit::Value* insertKeyedDropout(torch::jit::Graph& graph, torch::jit::Value* x,
                                      torch::jit::Value* drop_rate, std::int64_t site,
                                      bool feature);

/// In execution order.
[[nodiscard]] std::vector<KeyedNode> keyedNodes(torch::jit::Graph& graph);

/// Takes out every site for which `keep` is false.
void keepSites(torch::jit::Graph& graph, const std::function<bool(std::int64_t site)>& keep);

/// Sets the drop rate of every site that is left.
void setDropRate(torch::jit::Graph& graph, double drop_rate);

}  // namespace dubito
