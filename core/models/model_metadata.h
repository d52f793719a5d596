// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/base/expected.h"
#include "core/models/model.h"

namespace dubito {

/// Metadata from the text of a JSON object with the keys `name`, `classes`, `output` and those of
/// preprocessingFromJson. `source` is what errors call it, and becomes ModelMetadata::source. Keys
/// that mean nothing here are listed in ModelMetadata::notes.
[[nodiscard]] Expected<ModelMetadata> parseModelMetadata(const std::string& json_text,
                                                         const std::string& source);

/// The metadata of the model at `model_path`: the file given, else the text inside the archive,
/// else MODEL.pt.json or MODEL.json beside it, else defaults. `given_path` and `inside` may be
/// empty.
[[nodiscard]] Expected<ModelMetadata> findModelMetadata(const std::string& model_path,
                                                        const std::string& given_path,
                                                        const std::string& inside);

}  // namespace dubito
