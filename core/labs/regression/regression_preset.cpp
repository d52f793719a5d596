// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_preset.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace dubito {
namespace {

using nlohmann::json;

/// kMalformed unless the ends are finite numbers in ascending order.
Expected<Interval> rangeFromJson(const json& pair, const char* name) {
  const Interval range = intervalFromJson(pair);
  if (!(std::isfinite(range.low) && std::isfinite(range.high) && range.low < range.high)) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{} is no range of numbers from low to high", name));
  }
  return range;
}

json curvePointsToJson(const RegressionData& points) {
  json object = {{"x", points.train.x},
                 {"y", points.train.y},
                 {"x_label", points.x_label},
                 {"y_label", points.y_label},
                 {"shown", intervalToJson(points.shown)}};
  if (points.shown_y) {
    object["shown_y"] = intervalToJson(*points.shown_y);
  }
  return object;
}

/// Presets of version 1 have neither labels nor the range.
Expected<RegressionData> curvePointsFromJson(const json& object) {
  RegressionData points;
  points.name = "Own points";
  points.train = {object.at("x").get<std::vector<double>>(),
                  object.at("y").get<std::vector<double>>()};
  if (points.train.x.size() != points.train.y.size()) {
    return fail(ErrorCode::kMalformed, "x and y differ in length");
  }
  points.x_label = object.value("x_label", points.x_label);
  points.y_label = object.value("y_label", points.y_label);
  points.shown = shownAround(points.train);
  if (object.contains("shown")) {
    const auto shown = rangeFromJson(object.at("shown"), "shown");
    if (!shown) {
      return failWith(shown);
    }
    points.shown = *shown;
  }
  if (object.contains("shown_y")) {
    const auto shown = rangeFromJson(object.at("shown_y"), "shown_y");
    if (!shown) {
      return failWith(shown);
    }
    points.shown_y = *shown;
  }
  return points;
}

json axesToJson(const RegressionAxes& axes) {
  return {{"x", intervalToJson(axes.x)}, {"y", intervalToJson(axes.y)}, {"fixed", axes.fixed}};
}

Expected<RegressionAxes> axesFromJson(const json& object) {
  const auto x = rangeFromJson(object.at("x"), "the x axis");
  if (!x) {
    return failWith(x);
  }
  const auto y = rangeFromJson(object.at("y"), "the y axis");
  if (!y) {
    return failWith(y);
  }
  return RegressionAxes{*x, *y, object.at("fixed").get<bool>()};
}

}  // namespace

json presetToJson(const RegressionPreset& preset) {
  json object = methodPresetToJson(preset, &curvePointsToJson);
  object["axes"] = preset.axes ? axesToJson(*preset.axes) : json();
  return object;
}

Expected<RegressionPreset> presetFromJson(const json& set_up) {
  RegressionPreset preset;
  if (Status read = readMethodPreset(set_up, &findRegressionMethod, &curvePointsFromJson, preset);
      !read) {
    return failWith(read);
  }
  if (const json& axes = set_up.at("axes"); !axes.is_null()) {
    auto read = axesFromJson(axes);
    if (!read) {
      return failWith(read);
    }
    preset.axes = *read;
  }
  return preset;
}

}  // namespace dubito
