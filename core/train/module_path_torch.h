// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <string>
#include <utility>

namespace dubito {

/// The module that has the attribute `path` ("block3.conv1.weight"), and the attribute's own name.
/// Throws c10::Error if there is none.
[[nodiscard]] std::pair<torch::jit::Module, std::string> ownerOf(torch::jit::Module module,
                                                                 const std::string& path);

/// The tensor attribute `path`.
[[nodiscard]] at::Tensor attributeAt(const torch::jit::Module& module, const std::string& path);

}  // namespace dubito
