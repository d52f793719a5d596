// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <memory>
#include <vector>

#include "core/models/onnx/program_source_torch.h"

namespace dubito {

/// A module whose method `forward` is a compiled program. The graph takes `input_count` tensors,
/// then the weights, then the flag `training`: weights become parameters and buffers of the module
/// and of submodules, by their paths. The module becomes part of `unit`.
[[nodiscard]] torch::jit::Module attachWeights(
    const std::shared_ptr<torch::jit::CompilationUnit>& unit,
    const std::shared_ptr<torch::jit::Graph>& graph, std::size_t input_count,
    std::vector<ProgramWeight> weights);

}  // namespace dubito
