// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_preset.h"

#include <nlohmann/json.hpp>

namespace dubito {
namespace {

using nlohmann::json;

json curvePointsToJson(const RegressionPoints& points) {
  return {{"x", points.x}, {"y", points.y}};
}

Expected<RegressionPoints> curvePointsFromJson(const json& object) {
  RegressionPoints points{object.at("x").get<std::vector<double>>(),
                          object.at("y").get<std::vector<double>>()};
  if (points.x.size() != points.y.size()) {
    return fail(ErrorCode::kMalformed, "x and y differ in length");
  }
  return points;
}

}  // namespace

json presetToJson(const RegressionPreset& preset) {
  return methodPresetToJson(preset, &curvePointsToJson);
}

Expected<RegressionPreset> presetFromJson(const json& set_up) {
  RegressionPreset preset;
  if (Status read = readMethodPreset(set_up, &findRegressionMethod, &curvePointsFromJson, preset);
      !read) {
    return failWith(read);
  }
  return preset;
}

}  // namespace dubito
