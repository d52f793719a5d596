// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/run_context.h"
#include "core/models/model.h"

namespace dubito {

/// Writes `metadata` next to the model (writeModelMetadata) and loads the model with it. If the
/// model does not load so, the metadata file is as it was before. Blocking; for the thread where
/// torch runs.
[[nodiscard]] Expected<ModelPtr> saveMetadata(const std::string& model_path,
                                              const ModelMetadata& metadata, RunContext& context);

}  // namespace dubito
