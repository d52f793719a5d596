// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/classification_lab.h"
#include "core/labs/methods/chosen_methods.h"

namespace dubito {

/// Everything that decides what the classification laboratory shows.
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

/// The set-up of the laboratory in a LabPreset.
[[nodiscard]] nlohmann::json classificationPresetToJson(const ClassificationPreset& preset);

/// kMalformed, with a reason, for unknown methods and maps, and options that are invalid. Throws
/// nlohmann's exceptions for missing keys and wrong types.
[[nodiscard]] Expected<ClassificationPreset> classificationPresetFromJson(
    const nlohmann::json& set_up);

}  // namespace dubito
