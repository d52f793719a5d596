// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <string>

namespace dubito {

/// The type of the network's weights: "Float", "Double", "Half", "BFloat16"; "Float" if it has
/// none.
[[nodiscard]] std::string numberTypeOf(const torch::jit::Module& module, torch::jit::Graph& graph);

/// Lets a network of half precision compute in float32, which holds its weights exactly: many
/// operators have no half precision on the processor, and its rounding would make results depend
/// on the batch. Parameters and buffers, constants of the program and conversions in it.
void raiseHalfPrecision(torch::jit::Module& module);
void raiseHalfPrecision(torch::jit::Graph& graph);

/// Converts the input to double if the first layer computes in it.
void convertInput(torch::jit::Graph& graph, const torch::jit::Module& module);

}  // namespace dubito
