// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <map>
#include <string>

namespace dubito {

/// Copies of a network's parameters and buffers, on the CPU, by path.
using ModuleState = std::map<std::string, at::Tensor>;

[[nodiscard]] ModuleState stateOf(const torch::jit::Module& module);

/// Sets those parameters and buffers whose paths `state` contains.
void loadState(const ModuleState& state, const torch::jit::Module& module);

}  // namespace dubito
