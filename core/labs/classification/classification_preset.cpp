// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/classification_preset.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/labs/classification/class_maps.h"

namespace dubito {
namespace {

using nlohmann::json;

json toJson(Interval range) {
  return {range.low, range.high};
}

Interval intervalOf(const json& pair) {
  return {pair.at(0).get<double>(), pair.at(1).get<double>()};
}

json toJson(const ClassData& points) {
  return {{"x1", points.train.x1},
          {"x2", points.train.x2},
          {"class", points.train.classes},
          {"classes", points.class_names},
          {"shown_x1", toJson(points.shown_x1)},
          {"shown_x2", toJson(points.shown_x2)}};
}

ClassData pointsOf(const json& object) {
  ClassData points;
  points.name = "Own points";
  points.train.x1 = object.at("x1").get<std::vector<double>>();
  points.train.x2 = object.at("x2").get<std::vector<double>>();
  points.train.classes = object.at("class").get<std::vector<std::int64_t>>();
  points.class_names = object.at("classes").get<std::vector<std::string>>();
  points.shown_x1 = intervalOf(object.at("shown_x1"));
  points.shown_x2 = intervalOf(object.at("shown_x2"));
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

}  // namespace

json classificationPresetToJson(const ClassificationPreset& preset) {
  ClassificationLabOptions options = preset.options;
  return {{"data", preset.own_points ? toJson(*preset.own_points) : json(preset.data)},
          {"seed", preset.seed},
          {"options", fieldsToJson(options.fields())},
          {"map", preset.map},
          {"methods", methodsToJson(preset.methods)}};
}

Expected<ClassificationPreset> classificationPresetFromJson(const json& set_up) {
  ClassificationPreset preset;
  if (set_up.at("data").is_string()) {
    preset.data = set_up.at("data").get<std::string>();
  } else {
    preset.own_points = pointsOf(set_up.at("data"));
    if (!isComplete(*preset.own_points)) {
      return fail(ErrorCode::kMalformed, "the points and their classes do not fit together");
    }
  }
  preset.seed = set_up.at("seed").get<std::uint64_t>();
  preset.map = set_up.at("map").get<std::string>();
  if (findClassMap(preset.map) == nullptr) {
    return fail(ErrorCode::kMalformed, "unknown map " + preset.map);
  }
  Status read = fieldsFromJson(set_up.at("options"), preset.options.fields());
  read = read ? preset.options.check() : read;
  read = read ? methodsFromJson(set_up.at("methods"), &findClassMethod, preset.methods) : read;
  if (!read) {
    return failWith(read);
  }
  return preset;
}

}  // namespace dubito
