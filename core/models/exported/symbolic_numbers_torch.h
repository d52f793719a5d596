// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <vector>

namespace dubito {

/// Computes with sizes as Python does: "_operator.floordiv", "math.trunc", "torch.sym_max". Inserts
/// the nodes and returns the result; nullptr if the function is not known. `is_whole`: the result
/// is declared to be a whole number.
[[nodiscard]] torch::jit::Value* insertSymbolicNumber(torch::jit::Graph& graph,
                                                      const std::string& function,
                                                      const std::vector<torch::jit::Value*>& inputs,
                                                      bool is_whole);

}  // namespace dubito
