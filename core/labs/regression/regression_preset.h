// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/labs/methods/method_preset.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"

namespace dubito {

/// Everything that decides what the regression laboratory shows.
struct RegressionPreset : MethodPreset<RegressionMethod, RegressionLabOptions, RegressionPoints> {
  /// `data` is a specification for openRegressionData().
  RegressionPreset() { data = "sine"; }
};

/// The set-up of the laboratory in a LabPreset.
[[nodiscard]] nlohmann::json presetToJson(const RegressionPreset& preset);

/// kMalformed, with a reason, for unknown methods and options that are invalid. Throws nlohmann's
/// exceptions for missing keys and wrong types.
[[nodiscard]] Expected<RegressionPreset> presetFromJson(const nlohmann::json& set_up);

}  // namespace dubito
