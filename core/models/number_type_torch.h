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

/// Whether the whole network is in half precision, but perhaps for its normalisation: its type is
/// `number_type`, and none of its matrices is wider.
[[nodiscard]] bool isHalfNetwork(const torch::jit::Module& module, const std::string& number_type);

/// The lower precision in which the program of a wider network computes parts of it: "bfloat16",
/// "float16", or both; empty if it has neither conversions nor weights of such a type.
[[nodiscard]] std::string lowerPrecisionIn(const torch::jit::Module& module,
                                           torch::jit::Graph& graph);

/// Converts a half-precision network to float32, which represents its weights exactly: many
/// operators do not support half precision on the CPU, and its rounding would make results depend
/// on the batch. Covers parameters, buffers, and constants and conversions in the program. Not for
/// wider networks that compute parts of them in half precision: there, rounding is part of the
/// program.
void promoteHalfPrecision(torch::jit::Module& module);
void promoteHalfPrecision(torch::jit::Graph& graph);

/// Adds a conversion of the input to double if the first layer computes in double, and to half
/// precision if it computes in that and the program has no conversions of its own.
void convertInput(torch::jit::Graph& graph, const torch::jit::Module& module);

}  // namespace dubito
