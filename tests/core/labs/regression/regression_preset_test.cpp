// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_preset.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace dubito {
namespace {

using nlohmann::json;

RegressionPreset somePreset() {
  RegressionPreset preset;
  preset.data = "cubic";
  preset.seed = 12345678901ULL;
  preset.options.points = 40;
  preset.options.noise = 2.5;
  for (const RegressionMethodInfo& info : regressionMethods()) {
    preset.methods.push_back({&info, info.make(), static_cast<int>(preset.methods.size())});
  }
  return preset;
}

std::string errorOf(const json& object) {
  const auto preset = presetFromJson(object);
  return preset ? "no error" : preset.error().message;
}

TEST(RegressionPreset, ARoundTripKeepsEverything) {
  const RegressionPreset preset = somePreset();
  ASSERT_FALSE(preset.methods.empty());
  const auto read = presetFromJson(json::parse(presetToJson(preset).dump()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(presetToJson(*read), presetToJson(preset));
  EXPECT_EQ(read->seed, 12345678901ULL);
  EXPECT_EQ(read->options.noise, 2.5);
  ASSERT_EQ(read->methods.size(), preset.methods.size());
}

TEST(RegressionPreset, OwnPointsKeepAllDigits) {
  RegressionPreset preset = somePreset();
  preset.own_points.emplace();
  preset.own_points->train = {{0.1, 1.0 / 3.0}, {-1e-300, 7.0}};
  preset.own_points->x_label = "year";
  preset.own_points->y_label = "CO2 (ppm)";
  preset.own_points->shown = {-0.1, 2.0 / 3.0};
  const auto read = presetFromJson(json::parse(presetToJson(preset).dump()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->own_points->train.x, preset.own_points->train.x);
  EXPECT_EQ(read->own_points->train.y, preset.own_points->train.y);
  EXPECT_EQ(read->own_points->x_label, "year");
  EXPECT_EQ(read->own_points->y_label, "CO2 (ppm)");
  EXPECT_EQ(read->own_points->shown.low, -0.1);
  EXPECT_EQ(read->own_points->shown.high, 2.0 / 3.0);
}

TEST(RegressionPreset, PointsOfVersion1HaveTheRangeAroundThem) {
  json object = presetToJson(somePreset());
  object["data"] = {{"x", {1.0, 5.0}}, {"y", {2.0, 3.0}}};
  const auto read = presetFromJson(object);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->own_points->x_label, "x");
  EXPECT_EQ(read->own_points->shown.low, 0.0);
  EXPECT_EQ(read->own_points->shown.high, 6.0);
}

TEST(RegressionPreset, AxesComeBack) {
  RegressionPreset preset = somePreset();
  EXPECT_FALSE(presetFromJson(presetToJson(preset))->axes);
  preset.axes = RegressionAxes{{-1.5, 1.0 / 3.0}, {0.0, 1e9}, true};
  const auto read = presetFromJson(json::parse(presetToJson(preset).dump()));
  ASSERT_TRUE(read && read->axes);
  EXPECT_EQ(read->axes->x.low, -1.5);
  EXPECT_EQ(read->axes->x.high, 1.0 / 3.0);
  EXPECT_EQ(read->axes->y.high, 1e9);
  EXPECT_TRUE(read->axes->fixed);
}

TEST(RegressionPreset, EveryMethodHasAStyleOfItsOwn) {
  RegressionPreset preset = somePreset();
  std::swap(preset.methods[0].style, preset.methods[2].style);
  const auto read = presetFromJson(presetToJson(preset));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->methods[0].style, 2);
  EXPECT_EQ(read->methods[2].style, 0);
  // Version 1 has none, and a file that was edited may share one.
  json object = presetToJson(preset);
  object["methods"][1].erase("style");
  object["methods"][3]["style"] = 2;
  const auto repaired = presetFromJson(object);
  ASSERT_TRUE(repaired);
  std::set<int> styles;
  for (const auto& chosen : repaired->methods) {
    styles.insert(chosen.style);
  }
  EXPECT_EQ(styles.size(), repaired->methods.size());
  EXPECT_EQ(repaired->methods[0].style, 2);
}

TEST(RegressionPreset, ErrorsNameTheReason) {
  const json good = presetToJson(somePreset());
  const auto changed = [&good](const char* key, const json& value) {
    json object = good;
    object[key] = value;
    return object;
  };
  EXPECT_EQ(errorOf(good), "no error");
  const auto few = presetFromJson(changed("options", {{"points", 0}}));
  ASSERT_FALSE(few);
  EXPECT_NE(few.error().message.find("Points is 0"), std::string::npos) << few.error().message;
  EXPECT_EQ(few.error().remedy.settings, std::vector{setting("points")});
  EXPECT_NE(errorOf(changed("methods", {{{"method", "oracle"}, {"options", json::object()}}}))
                .find("unknown method oracle"),
            std::string::npos);
  EXPECT_NE(errorOf(changed("data", {{"x", {1.0}}, {"y", json::array()}})).find("differ in length"),
            std::string::npos);
  const json flat = {{"x", {1.0, 1.0}}, {"y", {0.0, 1.0}}, {"fixed", false}};
  EXPECT_NE(errorOf(changed("axes", flat)).find("the x axis is no range"), std::string::npos);
  EXPECT_THROW((void)presetFromJson(json::object()), json::exception);
  EXPECT_THROW((void)presetFromJson(changed("seed", "three")), json::exception);
}

}  // namespace
}  // namespace dubito
