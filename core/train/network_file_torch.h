// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/expected.h"

namespace dubito {

/// Writes `network`, in evaluation mode and on the processor, with `metadata` as metadata.json
/// inside the archive; beside, then renamed.
[[nodiscard]] Status writeNetwork(torch::jit::Module& network, const nlohmann::json& metadata,
                                  const std::string& path);

}  // namespace dubito
