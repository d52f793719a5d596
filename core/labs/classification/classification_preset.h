// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/classification_lab.h"
#include "core/labs/methods/preset_file.h"

namespace dubito {

/// Everything that decides what the classification laboratory shows, to be shared as a file.
struct ClassificationPreset {
  using Method = ChosenMethod<ClassMethodInfo, ClassMethod>;
  /// A specification for openClassData(); unused if `own_points` is set.
  std::string data = "blobs";
  /// Points that were drawn by hand, with names of classes and the shown square, in place of a
  /// specification.
  std::optional<ClassData> own_points = {};
  std::uint64_t seed = 0;
  ClassificationLabOptions options;
  std::string map = "max_probability";  ///< key of the map that is shown
  std::vector<Method> methods;
};

/// The preset as JSON with a schema version (docs/formats.md).
[[nodiscard]] nlohmann::json classificationPresetToJson(const ClassificationPreset& preset);

/// Reads a preset. kMalformed, with `name` (a file) in the message, for JSON that is no preset of
/// this laboratory, unknown methods and maps, and options that are invalid; kUnsupported for a
/// newer version.
[[nodiscard]] Expected<ClassificationPreset> classificationPresetFromJson(
    const nlohmann::json& object, const std::string& name);

}  // namespace dubito
