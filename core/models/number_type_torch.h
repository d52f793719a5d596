// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <string>

namespace dubito {

/// The type of the network's weights: "Float", "Double", "Half" or "BFloat16"; "Float" if the
/// network has no weights.
[[nodiscard]] std::string parameterTypeOf(const torch::jit::Module& module,
                                          torch::jit::Graph& graph);

/// Converts a half-precision network to float32, which represents its weights exactly: many
/// operators do not support half precision on the CPU, and its rounding would make results depend
/// on the batch. Covers parameters, buffers, and constants and conversions in the program.
void promoteHalfPrecision(torch::jit::Module& module);
void promoteHalfPrecision(torch::jit::Graph& graph);

/// Adds a conversion of the input to double if the first layer computes in double.
void convertInput(torch::jit::Graph& graph, const torch::jit::Module& module);

}  // namespace dubito
