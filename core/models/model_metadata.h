// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/models/model.h"

namespace dubito {

/// Parses a JSON object with the keys `name`, `classes`, `task`, `output`, `output_key` and those
/// of preprocessingFromJson, or with the keys of other programs (translateMetadata), or almost JSON
/// (parseRelaxed). `source` names the text in errors and becomes ModelMetadata::source. If mean or
/// std are for values from 0 to 255 and no scale is stated, it is 1. ModelMetadata::notes tells
/// what was translated, corrected or ignored.
[[nodiscard]] Expected<ModelMetadata> parseModelMetadata(const std::string& json_text,
                                                         const std::string& source);

/// The metadata that findModelMetadata found.
struct FoundMetadata {
  ModelMetadata metadata;
  bool declares_values = false;  ///< scale, mean or std is specified
};

/// The metadata of the model at `model_path`: the file `given_path`; else MODEL.pt.json or
/// MODEL.json next to the model, whose keys override those of `inside`, the metadata in the
/// archive; else what the files of Hugging Face next to it tell (hubDescriptionFor); else defaults.
/// A file next to the model that is not metadata, or is invalid while the archive has metadata, is
/// ignored with a note. `given_path` and `inside` are empty if absent.
[[nodiscard]] Expected<FoundMetadata> findModelMetadata(const std::string& model_path,
                                                        const std::string& given_path,
                                                        const std::string& inside);

/// The paths at which metadata next to a model is searched for: MODEL.pt.json, MODEL.json.
[[nodiscard]] std::vector<std::string> metadataPathsFor(const std::string& model_path);

/// Writes name, classes, output, output_key and preprocessing to the file next to the model at
/// `model_path` that loadModel reads, and returns its path. Other keys of an existing metadata file
/// are kept; a file of that name that is not metadata is never overwritten. Fails with
/// kInvalidArgument if preprocessing.check() fails, or with kWriteFailed.
[[nodiscard]] Expected<std::string> writeModelMetadata(const std::string& model_path,
                                                       const ModelMetadata& metadata);

/// Writes only output_key, which selects the returned tensor with the class scores, to the file of
/// writeModelMetadata, and returns its path. Fails with kWriteFailed.
[[nodiscard]] Expected<std::string> writeOutputKey(const std::string& model_path,
                                                   const std::string& key);

}  // namespace dubito
