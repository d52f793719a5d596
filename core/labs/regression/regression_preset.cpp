// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_preset.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace dubito {
namespace {

using nlohmann::json;

Status readMethods(const json& methods, RegressionPreset& preset) {
  for (const json& entry : methods) {
    const auto key = entry.at("method").get<std::string>();
    const RegressionMethodInfo* const info = findRegressionMethod(key);
    if (info == nullptr) {
      return fail(ErrorCode::kMalformed, fmt::format("unknown method {}", key));
    }
    std::shared_ptr<RegressionMethod> method = info->make();
    if (Status set = fieldsFromJson(entry.at("options"), method->fields()); !set) {
      return set;
    }
    if (Status checked = method->check(); !checked) {
      return checked;
    }
    preset.methods.push_back({info, std::move(method)});
  }
  return {};
}

}  // namespace

json presetToJson(const RegressionPreset& preset) {
  RegressionLabOptions options = preset.options;
  json methods = json::array();
  for (const RegressionPreset::Method& method : preset.methods) {
    methods.push_back(
        {{"method", method.info->key}, {"options", fieldsToJson(method.method->fields())}});
  }
  json data = preset.data;
  if (preset.own_points) {
    data = {{"x", preset.own_points->x}, {"y", preset.own_points->y}};
  }
  return {{"data", data},
          {"seed", preset.seed},
          {"options", fieldsToJson(options.fields())},
          {"methods", methods}};
}

Expected<RegressionPreset> presetFromJson(const json& set_up) {
  RegressionPreset preset;
  const json& data = set_up.at("data");
  if (data.is_string()) {
    preset.data = data.get<std::string>();
  } else {
    preset.own_points = RegressionPoints{data.at("x").get<std::vector<double>>(),
                                         data.at("y").get<std::vector<double>>()};
    if (preset.own_points->x.empty() ||
        preset.own_points->x.size() != preset.own_points->y.size()) {
      return fail(ErrorCode::kMalformed, "x and y are empty or differ in length");
    }
  }
  preset.seed = set_up.at("seed").get<std::uint64_t>();
  Status read = fieldsFromJson(set_up.at("options"), preset.options.fields());
  read = read ? preset.options.check() : read;
  read = read ? readMethods(set_up.at("methods"), preset) : read;
  if (!read) {
    return failWith(read);
  }
  return preset;
}

}  // namespace dubito
