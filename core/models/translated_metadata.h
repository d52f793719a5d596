// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dubito {

/// Metadata in the keys of parseModelMetadata.
struct TranslatedMetadata {
  nlohmann::json object;
  /// What was read from keys of other programs: "classes from label_names".
  std::vector<std::string> translated;
  /// Keys that were not used, and why: "crop_mode (\"border\" is not supported)".
  std::vector<std::string> ignored;
  /// Two keys that name the classes differently; empty if none do.
  std::string contradiction;
};

/// Whether `key` is one that parseModelMetadata reads.
[[nodiscard]] bool isMetadataKey(const std::string& key);

/// Translates the keys of other programs: configurations of timm and mmpretrain, preprocessor and
/// model configurations of Hugging Face, presets of torchvision, vocabularies of fastai, and class
/// indices as dictionaries either way. A key of our own is never overridden. Only what is clear is
/// translated; everything else is listed.
[[nodiscard]] TranslatedMetadata translateMetadata(const nlohmann::json& object);

}  // namespace dubito
