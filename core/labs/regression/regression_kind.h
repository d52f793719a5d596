// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/labs/data/regression_sets.h"
#include "core/labs/regression/regression_lab.h"
#include "core/labs/regression/regression_methods.h"
#include "core/labs/regression/regression_preset.h"

namespace dubito {

/// Types and functions of the regression laboratory, for code that serves every laboratory in which
/// several methods learn from the same points; see ClassificationKind.
struct RegressionKind {
  using Method = RegressionMethod;
  using Info = RegressionMethodInfo;
  using Data = RegressionData;
  using Options = RegressionLabOptions;
  using Preset = RegressionPreset;
  using Lab = RegressionLab;
  using Picture = RegressionPicture;

  [[nodiscard]] static const std::vector<Info>& methods() { return regressionMethods(); }
  [[nodiscard]] static const Info* find(std::string_view key) { return findRegressionMethod(key); }
  /// Methods that have no prior refuse too few points themselves.
  [[nodiscard]] static Status check(const Data& data) { return checkRegressionData(data, 0); }
  [[nodiscard]] static Expected<Data> open(const std::string& specification, const Options& options,
                                           std::uint64_t seed, RunContext& context) {
    return openRegressionData(specification, options.points, seed, context);
  }
  [[nodiscard]] static Expected<Lab> start(const Data& data, const Method& method,
                                           const Options& options, std::uint64_t seed) {
    return Lab::start(data, method, options, seed);
  }
  [[nodiscard]] static Expected<Picture> picture(const Lab& lab, const Options& /*options*/,
                                                 RunContext& context) {
    return lab.picture(context);
  }
  [[nodiscard]] static nlohmann::json toJson(const Preset& preset) { return presetToJson(preset); }
  [[nodiscard]] static Expected<Preset> fromJson(const nlohmann::json& set_up) {
    return presetFromJson(set_up);
  }
};

}  // namespace dubito
