// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_preset.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/temp_dir.h"

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
  const auto preset = presetFromJson(object, "lab.json");
  return preset ? "no error" : preset.error().message;
}

TEST(RegressionPreset, ARoundTripKeepsEverything) {
  const test::TempDir folder;
  const RegressionPreset preset = somePreset();
  ASSERT_FALSE(preset.methods.empty());
  ASSERT_TRUE(savePreset(folder.file("lab.json"), preset));
  const auto read = openPreset(folder.file("lab.json"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(presetToJson(*read), presetToJson(preset));
  EXPECT_EQ(read->seed, 12345678901ULL);
  EXPECT_EQ(read->options.noise, 2.5);
  ASSERT_EQ(read->methods.size(), preset.methods.size());
}

TEST(RegressionPreset, OwnPointsKeepAllDigits) {
  RegressionPreset preset = somePreset();
  preset.own_points = RegressionPoints{{0.1, 1.0 / 3.0}, {-1e-300, 7.0}};
  const auto read = presetFromJson(json::parse(presetToJson(preset).dump()), "lab.json");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->own_points->x, preset.own_points->x);
  EXPECT_EQ(read->own_points->y, preset.own_points->y);
}

TEST(RegressionPreset, ErrorsNameTheFileAndTheReason) {
  const json good = presetToJson(somePreset());
  const auto changed = [&good](const char* key, const json& value) {
    json object = good;
    object[key] = value;
    return errorOf(object);
  };
  EXPECT_EQ(errorOf(good), "no error");
  EXPECT_NE(changed("laboratory", "simplex").find("lab.json: is no preset of this laboratory"),
            std::string::npos);
  EXPECT_NE(changed("schema_version", 99).find("newer version"), std::string::npos);
  EXPECT_NE(changed("options", {{"points", 0}}).find("--points"), std::string::npos);
  EXPECT_NE(changed("methods", {{{"method", "oracle"}, {"options", json::object()}}})
                .find("unknown method oracle"),
            std::string::npos);
  EXPECT_NE(changed("data", {{"x", {1.0}}, {"y", json::array()}}).find("differ in length"),
            std::string::npos);
  EXPECT_NE(errorOf(json::array()).find("no preset"), std::string::npos);
  EXPECT_NE(errorOf(json::object()).find("no preset"), std::string::npos);
}

TEST(RegressionPreset, FilesThatAreMissingOrNoJson) {
  const test::TempDir folder;
  const auto missing = openPreset(folder.file("missing.json"));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("missing.json: cannot be read"), std::string::npos);
  test::writeBytes(folder.path() / "text.json", "hello");
  const auto text = openPreset(folder.file("text.json"));
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("not JSON"), std::string::npos);
}

}  // namespace
}  // namespace dubito
