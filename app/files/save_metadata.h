// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/run_context.h"
#include "core/models/model.h"

namespace dubito {

// Both functions write a file next to the model and reload the model with it. If that fails, the
// previous file is restored. Blocking; call them on the thread that runs torch, or on another one
// with LoadModelOptions::shares_torch.

/// Writes `metadata` (writeModelMetadata).
[[nodiscard]] Expected<ModelPtr> saveMetadata(const std::string& model_path,
                                              const ModelMetadata& metadata, RunContext& context,
                                              bool shares_torch = false);
/// Writes the key of the output tensor that contains the class scores (writeOutputKey).
[[nodiscard]] Expected<ModelPtr> saveOutputKey(const std::string& model_path,
                                               const std::string& key, RunContext& context,
                                               bool shares_torch = false);

}  // namespace dubito
