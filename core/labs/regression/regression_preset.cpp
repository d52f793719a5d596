// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_preset.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace dubito {

using nlohmann::json;

json presetToJson(const RegressionPreset& preset) {
  RegressionLabOptions options = preset.options;
  json data = preset.data;
  if (preset.own_points) {
    data = {{"x", preset.own_points->x}, {"y", preset.own_points->y}};
  }
  return {{"data", data},
          {"seed", preset.seed},
          {"options", fieldsToJson(options.fields())},
          {"methods", methodsToJson(preset.methods)}};
}

Expected<RegressionPreset> presetFromJson(const json& set_up) {
  RegressionPreset preset;
  const json& data = set_up.at("data");
  if (data.is_string()) {
    preset.data = data.get<std::string>();
  } else {
    preset.own_points = RegressionPoints{data.at("x").get<std::vector<double>>(),
                                         data.at("y").get<std::vector<double>>()};
    if (preset.own_points->x.size() != preset.own_points->y.size()) {
      return fail(ErrorCode::kMalformed, "x and y differ in length");
    }
  }
  preset.seed = set_up.at("seed").get<std::uint64_t>();
  Status read = fieldsFromJson(set_up.at("options"), preset.options.fields());
  read = read ? preset.options.check() : read;
  read = read ? methodsFromJson(set_up.at("methods"), &findRegressionMethod, preset.methods) : read;
  if (!read) {
    return failWith(read);
  }
  return preset;
}

}  // namespace dubito
