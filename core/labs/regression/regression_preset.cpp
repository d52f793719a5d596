// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_preset.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kLaboratory = "regression";

}  // namespace

json presetToJson(const RegressionPreset& preset) {
  RegressionLabOptions options = preset.options;
  json object = presetHead(kLaboratory);
  object["data"] = preset.data;
  if (preset.own_points) {
    object["data"] = {{"x", preset.own_points->x}, {"y", preset.own_points->y}};
  }
  object["seed"] = preset.seed;
  object["options"] = fieldsToJson(options.fields());
  object["methods"] = methodsToJson(preset.methods);
  return object;
}

Expected<RegressionPreset> presetFromJson(const json& object, const std::string& name) {
  try {
    if (const Status checked = checkPresetHead(object, kLaboratory, name); !checked) {
      return failWith(checked);
    }
    RegressionPreset preset;
    const json& data = object.at("data");
    if (data.is_string()) {
      preset.data = data.get<std::string>();
    } else {
      preset.own_points = RegressionPoints{data.at("x").get<std::vector<double>>(),
                                           data.at("y").get<std::vector<double>>()};
      if (preset.own_points->x.empty() ||
          preset.own_points->x.size() != preset.own_points->y.size()) {
        return badPreset(name, "x and y are empty or differ in length");
      }
    }
    preset.seed = object.at("seed").get<std::uint64_t>();
    Status read = fieldsFromJson(object.at("options"), preset.options.fields());
    read = read ? preset.options.check() : read;
    read =
        read ? methodsFromJson(object.at("methods"), &findRegressionMethod, preset.methods) : read;
    if (!read) {
      return badPreset(name, read.error().message);
    }
    return preset;
  } catch (const json::exception& exception) {
    return badPreset(name, exception.what());
  }
}

Status savePreset(const std::string& path, const RegressionPreset& preset) {
  return writePresetFile(path, presetToJson(preset));
}

Expected<RegressionPreset> openPreset(const std::string& path) {
  const auto object = readPresetFile(path);
  return object ? presetFromJson(*object, path) : Expected<RegressionPreset>(failWith(object));
}

}  // namespace dubito
