// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/models/model.h"

namespace dubito {

/// Metadata from the text of a JSON object with the keys `name`, `classes`, `task`, `output`,
/// `output_key` and those of preprocessingFromJson. `source` is what errors call it, and becomes
/// ModelMetadata::source. Keys that mean nothing here are listed in ModelMetadata::notes.
[[nodiscard]] Expected<ModelMetadata> parseModelMetadata(const std::string& json_text,
                                                         const std::string& source);

/// What findModelMetadata found.
struct FoundMetadata {
  ModelMetadata metadata;
  bool declares_values = false;  ///< it names scale, mean or std
};

/// The metadata of the model at `model_path`: the file given, else MODEL.pt.json or MODEL.json next
/// to it, whose keys go over those of the text inside the archive; else defaults. A file next to
/// the model that is not metadata, or is invalid while the archive has metadata, is passed over
/// with a note. `given_path` and `inside` may be empty.
[[nodiscard]] Expected<FoundMetadata> findModelMetadata(const std::string& model_path,
                                                        const std::string& given_path,
                                                        const std::string& inside);

/// Where a model's metadata may lie next to it: MODEL.pt.json, MODEL.json.
[[nodiscard]] std::vector<std::string> metadataFilesOf(const std::string& model_path);

/// Writes name, classes, output, output_key and preprocessing into the file next to the model at
/// `model_path` that loadModel reads, and returns its path. Other keys of an existing metadata file
/// stay; a file of that name that is not metadata is never overwritten. kInvalidArgument for a
/// preprocessing that check() refuses, kWriteFailed.
[[nodiscard]] Expected<std::string> writeModelMetadata(const std::string& model_path,
                                                       const ModelMetadata& metadata);

/// Writes into the same file which of several returned tensors has the class scores, and nothing
/// else. kWriteFailed.
[[nodiscard]] Expected<std::string> writeOutputKey(const std::string& model_path,
                                                   const std::string& key);

}  // namespace dubito
