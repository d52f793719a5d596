// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/models/onnx/onnx_file.h"

namespace dubito {

/// Path of the attribute for a weight, such as "layer1.0.conv1.weight": the name of the weight if
/// the exporter kept that of the network, otherwise the module that the node belongs to, and
/// `role`. Consists of letters, digits, underscores and dots.
[[nodiscard]] std::string weightPath(const OnnxNode& node, std::string_view weight_name,
                                     std::string_view role);

/// Whether a name is that of a parameter in PyTorch: "fc.weight", not "onnx::MatMul_12".
[[nodiscard]] bool isNameOfModule(std::string_view name);

}  // namespace dubito
