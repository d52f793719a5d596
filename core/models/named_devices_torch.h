// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <vector>

namespace dubito {

/// Replaces devices that the program names ("cuda:0" in `torch.zeros(3, device="cuda:0")`,
/// `x.cuda()`) by the CPU, where a prepared network runs until it is placed on another device.
/// Returns the names of those that are not the CPU, sorted.
[[nodiscard]] std::vector<std::string> placeOnCpu(torch::jit::Graph& graph,
                                                  const torch::jit::Module& module);

}  // namespace dubito
