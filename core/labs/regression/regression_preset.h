// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/labs/methods/chosen_methods.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"

namespace dubito {

/// Everything that decides what the regression laboratory shows.
struct RegressionPreset {
  using Method = ChosenMethod<RegressionMethodInfo, RegressionMethod>;
  /// A specification for openRegressionData(); unused if `own_points` is set.
  std::string data = "sine";
  /// Points that were drawn by hand, in place of a specification.
  std::optional<RegressionPoints> own_points = {};
  std::uint64_t seed = 0;
  RegressionLabOptions options;
  std::vector<Method> methods;
};

/// The set-up of the laboratory in a LabPreset.
[[nodiscard]] nlohmann::json presetToJson(const RegressionPreset& preset);

/// kMalformed, with a reason, for unknown methods and options that are invalid. Throws nlohmann's
/// exceptions for missing keys and wrong types.
[[nodiscard]] Expected<RegressionPreset> presetFromJson(const nlohmann::json& set_up);

}  // namespace dubito
