// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace dubito {

/// Whether `written`, which the node writes to, is read later outside the node's block.
[[nodiscard]] bool isReadOutside(const torch::jit::Node* node, const torch::jit::Value* written);

/// Whether memory that the node writes to is read later through another value: the operator was
/// given a view, or a view was taken before it.
[[nodiscard]] bool isSharedLater(torch::jit::Graph& graph, const torch::jit::Node* node);

/// Whether a write would reach further if `result`, which has new memory, were in that of `x`: one
/// of them is written, and x, or what shares its memory, is read after `node`.
[[nodiscard]] bool wouldShareWrites(torch::jit::Graph& graph, const torch::jit::Value* x,
                                    const torch::jit::Value* result, const torch::jit::Node* node);

}  // namespace dubito
