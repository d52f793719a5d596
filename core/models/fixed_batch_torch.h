// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <cstdint>
#include <vector>

namespace dubito {

/// Batch sizes that a program may be fixed to: the numbers in the sizes that it makes tensors with
/// or reshapes them to, and their divisors, because a trace multiplies the batch by heads or
/// windows. The likeliest first.
[[nodiscard]] std::vector<std::int64_t> possibleBatchSizes(torch::jit::Graph& graph);

}  // namespace dubito
