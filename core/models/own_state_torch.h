// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

namespace dubito {

/// A copy of a network for passes of `graph` that write into its state. It shares with `module` the
/// memory of all tensors that the graph does not write into, which are most of them. If parts of
/// the program are not in the graph, nothing is shared.
[[nodiscard]] torch::jit::Module withOwnState(const torch::jit::Module& module,
                                              torch::jit::Graph& graph);

}  // namespace dubito
