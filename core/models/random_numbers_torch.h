// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <functional>
#include <optional>
#include <string>

#include "core/models/keyed_sites_torch.h"

namespace dubito {

/// What is known about a value; nullopt: nothing.
using KnownValue = std::function<std::optional<c10::IValue>(const torch::jit::Value*)>;

/// Whether a node draws random numbers according to torch's tags, unless known arguments switch
/// that off: a training flag that is false, a drop rate of 0, a single recurrent layer.
[[nodiscard]] bool drawsNumbers(const torch::jit::Node* node, const KnownValue& known);
/// As above, where only constants are known.
[[nodiscard]] bool drawsNumbers(const torch::jit::Node* node);

/// Why keyed numbers cannot replace those of a node that draws; empty if they can.
[[nodiscard]] std::string whyNotKeyed(const torch::jit::Node* node);

/// Inserts a tensor of the shape, type and device of the numbers that `node` draws; its own numbers
/// do not matter.
torch::jit::Value* insertShapeOfNumbers(torch::jit::Graph& graph, const torch::jit::Node* node);

/// Inserts, at the graph's insertion point, numbers of the distribution, shape and type of those
/// that `node` draws, but by key. An operator that writes to its first argument is not repeated:
/// the caller decides what becomes of the numbers.
torch::jit::Value* insertKeyedNumbers(torch::jit::Graph& graph, const torch::jit::Node* node,
                                      const KeyedDraw& draw);

}  // namespace dubito
