// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <vector>

namespace dubito {

/// Adds what makes results depend on the whole batch: operators that choose a range of numbers for
/// it (dynamic quantisation), and branches on a value computed from it. Leaves `batch_ops` sorted,
/// each once.
void listBatchOps(torch::jit::Graph& graph, std::vector<std::string>& batch_ops);

/// Whether a value is computed from the numbers of the network's input, as far as it is passed from
/// operator to operator; what is written into a view of another tensor is not followed.
[[nodiscard]] bool dependsOnInput(const torch::jit::Graph& graph, torch::jit::Value* value);

/// Whether `batch_ops` has a branch on a value of the batch.
[[nodiscard]] bool hasBatchBranch(const std::vector<std::string>& batch_ops);

}  // namespace dubito
