// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/base/json_integer.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/labs/methods/lab_method.h"

namespace dubito {

/// A chosen method and its options.
template <class Method>
struct ChosenMethod {
  const LabMethodInfo<Method>* info = nullptr;
  std::shared_ptr<Method> method;
  int style = 0;  ///< number of its colour and dash in plots and tables; no two methods share one
};

/// `wanted` if it is a style that none of `chosen` (each with an int `style`) has, else the lowest
/// one of these.
template <class Chosen>
[[nodiscard]] int freeStyle(const std::vector<Chosen>& chosen, int wanted = 0) {
  const auto is_taken = [&chosen](int style) {
    return style < 0 || std::ranges::find(chosen, style, &Chosen::style) != chosen.end();
  };
  if (!is_taken(wanted)) {
    return wanted;
  }
  int style = 0;
  while (is_taken(style)) {
    ++style;
  }
  return style;
}

/// Everything that decides what a laboratory shows in which several methods learn from the same
/// points. `Options` are those that all methods share.
template <class Method, class Options, class OwnPoints>
struct MethodPreset {
  /// Specification of a dataset; unused if `own_points` is set.
  std::string data;
  /// Points that were drawn by hand, in place of a specification.
  std::optional<OwnPoints> own_points = {};
  std::uint64_t seed = 0;
  Options options;
  std::vector<ChosenMethod<Method>> methods;
};

/// [low, high].
[[nodiscard]] inline nlohmann::json intervalToJson(Interval range) {
  return {range.low, range.high};
}
/// Reads what intervalToJson() gave.
[[nodiscard]] inline Interval intervalFromJson(const nlohmann::json& pair) {
  return {pair.at(0).get<double>(), pair.at(1).get<double>()};
}

/// The set-up of the laboratory in a LabPreset: data, seed, options, and
/// [{"method": key, "options": {...}, "style": number}, ...].
template <class Method, class Options, class OwnPoints>
[[nodiscard]] nlohmann::json methodPresetToJson(
    const MethodPreset<Method, Options, OwnPoints>& preset,
    nlohmann::json (*points_to_json)(const OwnPoints& points)) {
  Options options = preset.options;
  nlohmann::json methods = nlohmann::json::array();
  for (const ChosenMethod<Method>& chosen : preset.methods) {
    methods.push_back({{"method", chosen.info->key},
                       {"options", fieldsToJson(chosen.method->fields())},
                       {"style", chosen.style}});
  }
  return {{"data",
           preset.own_points ? points_to_json(*preset.own_points) : nlohmann::json(preset.data)},
          {"seed", preset.seed},
          {"options", fieldsToJson(options.fields())},
          {"methods", std::move(methods)}};
}

/// Reads the methods of methodPresetToJson(); `find` returns the info of a key, or null. Styles
/// that are missing or shared become the lowest free ones. kMalformed for unknown methods, else the
/// errors of fieldsFromJson() and check().
template <class Method>
[[nodiscard]] Status methodsFromJson(const nlohmann::json& list,
                                     const LabMethodInfo<Method>* (*find)(std::string_view key),
                                     std::vector<ChosenMethod<Method>>& methods) {
  for (const nlohmann::json& entry : list) {
    const auto key = entry.at("method").get<std::string>();
    const LabMethodInfo<Method>* const info = find(key);
    if (info == nullptr) {
      return fail(ErrorCode::kMalformed, "unknown method " + key);
    }
    std::shared_ptr<Method> method = info->make();
    if (Status set = fieldsFromJson(entry.at("options"), method->fields()); !set) {
      return set;
    }
    if (Status checked = method->check(); !checked) {
      return checked;
    }
    const int style =
        freeStyle(methods, entry.contains("style") ? integerFrom<int>(entry["style"]) : 0);
    methods.push_back({info, std::move(method), style});
  }
  return {};
}

/// Reads what methodPresetToJson() gave. Errors of `points_from_json` and methodsFromJson(), and of
/// options that are invalid. Throws nlohmann's exceptions for missing keys and wrong types.
template <class Method, class Options, class OwnPoints>
[[nodiscard]] Status readMethodPreset(
    const nlohmann::json& set_up, const LabMethodInfo<Method>* (*find)(std::string_view key),
    Expected<OwnPoints> (*points_from_json)(const nlohmann::json& points),
    MethodPreset<Method, Options, OwnPoints>& preset) {
  const nlohmann::json& data = set_up.at("data");
  if (data.is_string()) {
    preset.data = data.get<std::string>();
  } else {
    auto points = points_from_json(data);
    if (!points) {
      return failWith(points);
    }
    preset.own_points = *std::move(points);
  }
  preset.seed = integerFrom<std::uint64_t>(set_up.at("seed"));
  Status read = fieldsFromJson(set_up.at("options"), preset.options.fields());
  read = read ? preset.options.check() : read;
  return read ? methodsFromJson(set_up.at("methods"), find, preset.methods) : read;
}

}  // namespace dubito
