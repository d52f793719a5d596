// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

namespace dubito {

/// Weights [out, in, ...] of the first layer whose weights are known before the graph runs;
/// quantised ones as floats. Undefined if there is none.
[[nodiscard]] at::Tensor firstWeight(const torch::jit::Module& module, torch::jit::Graph& graph);

}  // namespace dubito
