// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/run_context.h"
#include "core/models/model.h"

namespace dubito {

// Both write a file next to the model and load the model with it. If that fails, the previous file
// is restored. Blocking; for the thread where torch runs.

/// Writes `metadata` (writeModelMetadata).
[[nodiscard]] Expected<ModelPtr> saveMetadata(const std::string& model_path,
                                              const ModelMetadata& metadata, RunContext& context);
/// Writes which returned tensor has the class scores (writeOutputKey).
[[nodiscard]] Expected<ModelPtr> saveOutputKey(const std::string& model_path,
                                               const std::string& key, RunContext& context);

}  // namespace dubito
