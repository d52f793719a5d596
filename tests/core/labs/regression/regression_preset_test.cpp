// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_preset.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
    preset.methods.push_back({&info, info.make()});
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
  preset.own_points = RegressionPoints{{0.1, 1.0 / 3.0}, {-1e-300, 7.0}};
  const auto read = presetFromJson(json::parse(presetToJson(preset).dump()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->own_points->x, preset.own_points->x);
  EXPECT_EQ(read->own_points->y, preset.own_points->y);
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
  EXPECT_THROW((void)presetFromJson(json::object()), json::exception);
  EXPECT_THROW((void)presetFromJson(changed("seed", "three")), json::exception);
}

}  // namespace
}  // namespace dubito
