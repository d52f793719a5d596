// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/classification_preset.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/json_integer.h"
#include "core/labs/classification/class_maps.h"

namespace dubito {
namespace {

using nlohmann::json;

json classPointsToJson(const ClassData& points) {
  return {{"x1_label", points.x1_label},
          {"x2_label", points.x2_label},
          {"x1", points.train.x1},
          {"x2", points.train.x2},
          {"class", points.train.classes},
          {"classes", points.class_names},
          {"shown_x1", intervalToJson(points.shown_x1)},
          {"shown_x2", intervalToJson(points.shown_x2)}};
}

ClassData pointsOf(const json& object) {
  ClassData points;
  points.name = "Own points";
  // Presets of version 1 have no labels.
  points.x1_label = object.value("x1_label", points.x1_label);
  points.x2_label = object.value("x2_label", points.x2_label);
  points.train.x1 = object.at("x1").get<std::vector<double>>();
  points.train.x2 = object.at("x2").get<std::vector<double>>();
  for (const json& number : object.at("class")) {
    points.train.classes.push_back(integerFrom<std::int64_t>(number));
  }
  points.class_names = object.at("classes").get<std::vector<std::string>>();
  points.shown_x1 = intervalFromJson(object.at("shown_x1"));
  points.shown_x2 = intervalFromJson(object.at("shown_x2"));
  return points;
}

/// Whether the arrays fit together, before checkClassData() looks at the values.
bool isComplete(const ClassData& points) {
  return points.train.x1.size() == points.train.x2.size() &&
         points.train.x1.size() == points.train.classes.size() &&
         std::ranges::all_of(points.train.classes,
                             [&](std::int64_t c) { return c >= 0 && c < points.classes(); }) &&
         points.shown_x1.low < points.shown_x1.high && points.shown_x2.low < points.shown_x2.high;
}

Expected<ClassData> classPointsFromJson(const json& object) {
  ClassData points = pointsOf(object);
  if (!isComplete(points)) {
    return fail(ErrorCode::kMalformed, "the points and their classes do not fit together");
  }
  return points;
}

}  // namespace

json classificationPresetToJson(const ClassificationPreset& preset) {
  json object = methodPresetToJson(preset, &classPointsToJson);
  object["map"] = preset.map;
  object["functions"] = preset.functions;
  return object;
}

Expected<ClassificationPreset> classificationPresetFromJson(const json& set_up) {
  ClassificationPreset preset;
  if (Status read = readMethodPreset(set_up, &findClassMethod, &classPointsFromJson, preset);
      !read) {
    return failWith(read);
  }
  preset.map = set_up.at("map").get<std::string>();
  preset.functions = set_up.at("functions").get<bool>();
  if (findClassMap(preset.map) == nullptr) {
    return fail(ErrorCode::kMalformed, "unknown map " + preset.map);
  }
  return preset;
}

}  // namespace dubito
