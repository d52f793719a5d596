// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/models/exported/graph_builder_torch.h"
#include "core/models/program/network_file_torch.h"

namespace dubito {

/// A translated program.
struct ExportedNetwork {
  torch::jit::Module module;
  StatedInput input;
  std::vector<StatedTensor> inputs;
  ExportedMode mode;
};

/// Translates a program (ExportedProgram in the schema) with its weights, by name, into a module
/// with one method, forward, that takes one tensor. Throws UntranslatableProgram, RefusedProgram,
/// or json exceptions.
[[nodiscard]] ExportedNetwork translateProgram(const nlohmann::json& program,
                                               const std::map<std::string, at::Tensor>& tensors);

}  // namespace dubito
