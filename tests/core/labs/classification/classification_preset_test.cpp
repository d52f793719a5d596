// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/classification_preset.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace dubito {
namespace {

using nlohmann::json;

ClassificationPreset somePreset() {
  ClassificationPreset preset;
  preset.data = "spiral";
  preset.seed = 12345678901ULL;
  preset.map = "epistemic";
  preset.functions = false;
  preset.options.set.arms = 5;
  preset.options.zoom = 2.5;
  for (const ClassMethodInfo& info : classMethods()) {
    preset.methods.push_back({&info, info.make(), static_cast<int>(preset.methods.size())});
  }
  return preset;
}

ClassData somePoints() {
  ClassData points;
  points.class_names = {"cat", "dog"};
  points.train.add(1.0 / 3.0, -1e-300, 1);
  points.train.add(2.0, 0.1, 0);
  points.x1_label = "length";
  points.shown_x1 = {-1.0, 4.0};
  points.shown_x2 = {-0.5, 3.0};
  return points;
}

std::string errorOf(const json& object) {
  const auto preset = classificationPresetFromJson(object);
  return preset ? "no error" : preset.error().message;
}

TEST(ClassificationPreset, ARoundTripKeepsEverything) {
  ClassificationPreset preset = somePreset();
  const json object = json::parse(classificationPresetToJson(preset).dump());
  const auto read = classificationPresetFromJson(object);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(classificationPresetToJson(*read), object);
  EXPECT_EQ(read->seed, 12345678901ULL);
  EXPECT_EQ(read->options.zoom, 2.5);
  EXPECT_EQ(read->options.set.arms, 5);
  EXPECT_EQ(read->map, "epistemic");
  EXPECT_FALSE(read->functions);
  preset.own_points = somePoints();
  const auto own =
      classificationPresetFromJson(json::parse(classificationPresetToJson(preset).dump()));
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_EQ(own->own_points->train.x1, preset.own_points->train.x1);
  EXPECT_EQ(own->own_points->train.x2, preset.own_points->train.x2);
  EXPECT_EQ(own->own_points->train.classes, preset.own_points->train.classes);
  EXPECT_EQ(own->own_points->class_names, preset.own_points->class_names);
  EXPECT_EQ(own->own_points->x1_label, "length");
  EXPECT_EQ(own->own_points->shown_x1.low, -1.0);
  EXPECT_EQ(own->own_points->shown_x1.high, 4.0);
  EXPECT_EQ(own->own_points->shown_x2.low, -0.5);
  EXPECT_EQ(own->own_points->shown_x2.high, 3.0);
}

TEST(ClassificationPreset, ErrorsNameTheReason) {
  ClassificationPreset preset = somePreset();
  const json good = classificationPresetToJson(preset);
  const auto changed = [](json object, const char* key, const json& value) {
    object[key] = value;
    return errorOf(object);
  };
  EXPECT_EQ(errorOf(good), "no error");
  EXPECT_NE(changed(good, "map", "temperature").find("unknown map"), std::string::npos);
  EXPECT_NE(changed(good, "options", {{"zoom", 0.5}}).find("Zoom out is 0.5"), std::string::npos);
  EXPECT_NE(changed(good, "methods", {{{"method", "oracle"}, {"options", json::object()}}})
                .find("unknown method oracle"),
            std::string::npos);
  preset.own_points = somePoints();
  json points = classificationPresetToJson(preset).at("data");
  points["class"] = {0, 2};
  EXPECT_NE(changed(good, "data", points).find("do not fit together"), std::string::npos);
  points["class"] = {0};
  EXPECT_NE(changed(good, "data", points).find("do not fit together"), std::string::npos);
  EXPECT_THROW((void)classificationPresetFromJson(json::object()), json::exception);
}

}  // namespace
}  // namespace dubito
