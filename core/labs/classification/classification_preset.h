// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/classification_lab.h"
#include "core/labs/methods/method_preset.h"

namespace dubito {

/// Everything that decides what the classification laboratory shows.
struct ClassificationPreset : MethodPreset<ClassMethod, ClassificationLabOptions, ClassData> {
  /// `data` is a specification for openClassData(); own points come with names of classes and the
  /// shown square.
  ClassificationPreset() { data = "blobs"; }
  std::string map = "max_probability";  ///< key of the map that is shown
  bool functions = true;                ///< whether borders of single functions are drawn
};

/// The set-up of the laboratory in a LabPreset.
[[nodiscard]] nlohmann::json classificationPresetToJson(const ClassificationPreset& preset);

/// kMalformed, with a reason, for unknown methods and maps, and options that are invalid. Throws
/// nlohmann's exceptions for missing keys and wrong types.
[[nodiscard]] Expected<ClassificationPreset> classificationPresetFromJson(
    const nlohmann::json& set_up);

}  // namespace dubito
