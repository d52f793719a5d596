// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/labs/classification/class_methods.h"
#include "core/labs/classification/classification_lab.h"
#include "core/labs/classification/classification_preset.h"
#include "core/labs/data/class_sets.h"

namespace dubito {

/// Types and functions of the classification laboratory, for code that serves every laboratory in
/// which several methods learn from the same points; see RegressionKind.
struct ClassificationKind {
  using Method = ClassMethod;
  using Info = ClassMethodInfo;
  using Data = ClassData;
  using Options = ClassificationLabOptions;
  using Preset = ClassificationPreset;
  using Lab = ClassificationLab;
  using Picture = ClassPicture;

  [[nodiscard]] static const std::vector<Info>& methods() { return classMethods(); }
  [[nodiscard]] static const Info* find(std::string_view key) { return findClassMethod(key); }
  [[nodiscard]] static Status check(const Data& data) { return checkClassData(data); }
  [[nodiscard]] static Expected<Data> open(const std::string& specification, const Options& options,
                                           std::uint64_t seed, RunContext& context) {
    return openClassData(specification, options.set, seed, context);
  }
  [[nodiscard]] static Expected<Lab> start(const Data& data, const Method& method,
                                           const Options& /*options*/, std::uint64_t seed) {
    return Lab::start(data, method, seed);
  }
  [[nodiscard]] static Expected<Picture> picture(const Lab& lab, const Options& options,
                                                 RunContext& context) {
    return lab.picture(options, context);
  }
  [[nodiscard]] static nlohmann::json toJson(const Preset& preset) {
    return classificationPresetToJson(preset);
  }
  [[nodiscard]] static Expected<Preset> fromJson(const nlohmann::json& set_up) {
    return classificationPresetFromJson(set_up);
  }
};

}  // namespace dubito
