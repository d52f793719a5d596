// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/labs/methods/method_preset.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"

namespace dubito {

/// The part of the plane that all plots show.
struct RegressionAxes {
  Interval x;
  Interval y;
  bool fixed = false;  ///< also for other data
};

/// Everything that decides what the regression laboratory shows.
struct RegressionPreset : MethodPreset<RegressionMethod, RegressionLabOptions, RegressionData> {
  /// `data` is a specification for openRegressionData(); own points come with the labels of their
  /// axes and the range of inputs.
  RegressionPreset() { data = "sine"; }
  std::optional<RegressionAxes> axes;  ///< nullopt: those that fit the data
};

/// The set-up of the laboratory in a LabPreset.
[[nodiscard]] nlohmann::json presetToJson(const RegressionPreset& preset);

/// kMalformed, with a reason, for unknown methods, axes without an extent, and options that are
/// invalid. Throws nlohmann's
/// exceptions for missing keys and wrong types.
[[nodiscard]] Expected<RegressionPreset> presetFromJson(const nlohmann::json& set_up);

}  // namespace dubito
