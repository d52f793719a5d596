// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace dubito {

/// Whether `written`, which the node writes to, is read later outside the node's block.
[[nodiscard]] bool isReadOutside(const torch::jit::Node* node, const torch::jit::Value* written);

/// Whether memory that the node writes to is read later through another value: the operator was
/// given a view, or a view was taken before it.
[[nodiscard]] bool isSharedLater(torch::jit::Graph& graph, const torch::jit::Node* node);

}  // namespace dubito
