// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include "core/models/exported/operator_call_torch.h"

namespace dubito {

/// Inserts a convolution of any number of axes as the layer that it is of (conv2d,
/// conv_transpose1d, ...). Returns nullptr for calls that are no such layer.
[[nodiscard]] torch::jit::Node* insertConvolution(torch::jit::Graph& graph,
                                                  OperatorArguments& arguments);

/// Inserts channel dropout for its pieces: x * bernoulli(empty([n, c, 1, ...]), keep) /
/// keep. Returns nullptr for other products.
[[nodiscard]] torch::jit::Node* insertChannelDropout(torch::jit::Graph& graph,
                                                     OperatorArguments& arguments,
                                                     torch::jit::Value* training);

/// Inserts a linear layer for its pieces: addmm(bias, x, weight.t()) or mm(x, weight.t()). Returns
/// nullptr for other products.
[[nodiscard]] torch::jit::Node* insertLinear(torch::jit::Graph& graph, const OperatorName& called,
                                             OperatorArguments& arguments);

}  // namespace dubito
