// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/preset/lab_preset.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

std::string errorOf(const std::string& text) {
  const test::TempDir folder;
  test::writeBytes(folder.path() / "lab.json", text);
  const auto preset = openLabPreset(folder.file("lab.json"));
  return preset ? "no error" : preset.error().message;
}

TEST(LabPreset, ARoundTripKeepsLaboratoryAndSetUp) {
  const test::TempDir folder;
  for (const LaboratoryInfo& info : laboratories()) {
    const json set_up = {{"seed", 12345678901ULL}, {"x", {0.1, 1.0 / 3.0, -1e-300}}};
    ASSERT_TRUE(saveLabPreset(folder.file("lab.json"), {info.id, set_up}));
    const auto read = openLabPreset(folder.file("lab.json"));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->laboratory, info.id);
    EXPECT_EQ(read->set_up.at("seed"), set_up.at("seed"));
    EXPECT_EQ(read->set_up.at("x"), set_up.at("x"));
  }
}

TEST(LabPreset, OldVersionsAreCompletedByWhatTheyShowed) {
  const auto read = [](const char* laboratory, int version) {
    const json object = {
        {"format", "dubito-lab"}, {"schema_version", version}, {"laboratory", laboratory}};
    return parseLabPreset(object.dump(), "lab.json")->set_up;
  };
  EXPECT_TRUE(read("regression", 1).at("axes").is_null());
  EXPECT_EQ(read("classification", 1).at("functions"), true);
  EXPECT_FALSE(read("sampler", 1).contains("axes"));
  for (const int version : {1, 2}) {
    EXPECT_EQ(read("sampler", version).at("views"), json::array({"trace", "autocorrelation"}));
  }
  EXPECT_FALSE(read("simplex", 2).contains("views"));
  // A newer file that lacks something is damaged.
  EXPECT_FALSE(read("regression", 2).contains("axes"));
  EXPECT_FALSE(read("sampler", 3).contains("views"));
}

TEST(LabPreset, ErrorsNameTheFileAndTheReason) {
  const json good = {
      {"format", "dubito-lab"}, {"schema_version", 1}, {"laboratory", "simplex"}, {"seed", 0}};
  const auto changed = [&good](const char* key, const json& value) {
    json object = good;
    object[key] = value;
    return errorOf(object.dump());
  };
  EXPECT_EQ(errorOf(good.dump()), "no error");
  EXPECT_NE(changed("format", "something").find("lab.json: is no preset of a laboratory"),
            std::string::npos);
  EXPECT_NE(changed("schema_version", 99).find("newer version"), std::string::npos);
  EXPECT_NE(changed("laboratory", "alchemy").find("no laboratory alchemy"), std::string::npos);
  EXPECT_NE(changed("laboratory", 3).find("no preset"), std::string::npos);
  EXPECT_NE(errorOf("[]").find("no preset"), std::string::npos);
  EXPECT_NE(errorOf("{}").find("no preset"), std::string::npos);
  EXPECT_NE(errorOf("hello").find("not JSON"), std::string::npos);
  const auto missing = openLabPreset("missing.json");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("missing.json: cannot be read"), std::string::npos);
}

}  // namespace
}  // namespace dubito
