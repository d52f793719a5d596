// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/labs/methods/preset_file.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"

namespace dubito {

/// Everything that decides what the regression laboratory shows, to be shared as a file.
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

/// The preset as JSON with a schema version (docs/formats.md).
[[nodiscard]] nlohmann::json presetToJson(const RegressionPreset& preset);

/// Reads a preset. kMalformed, with `name` (a file) in the message, for JSON that is no preset of
/// this laboratory, a newer version, unknown methods, and options that are invalid.
[[nodiscard]] Expected<RegressionPreset> presetFromJson(const nlohmann::json& object,
                                                        const std::string& name);

/// Writes next to `path` and renames. kWriteFailed as AtomicFile.
[[nodiscard]] Status savePreset(const std::string& path, const RegressionPreset& preset);
/// kNotFound or kReadFailed for a file that cannot be read; else as presetFromJson().
[[nodiscard]] Expected<RegressionPreset> openPreset(const std::string& path);

}  // namespace dubito
