// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_result.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

UciResult example() {
  UciResult result;
  result.set = "yacht";
  result.method = "mc-dropout-1x";
  result.split = 7;
  result.seed = 18446744073709551615ULL;
  result.options = {.draws = 123, .validation_draws = 45, .epochs = 6};
  result.choice = {{"drop_rate", 0.005}, {"tau", 0.25}};
  result.validation_log_likelihood = -1.0 / 3.0;
  result.test = {0.1 + 0.2, -1.25};
  result.seconds = 3.5;
  return result;
}

TEST(UciResult, ComesBackFromItsFileUnchanged) {
  const test::TempDir folder;
  const std::string path =
      uciResultPath(folder.path().string(), "yacht", "mc-dropout-1x", example().split);
  EXPECT_TRUE(path.ends_with("/yacht.mc-dropout-1x.07.json"));
  ASSERT_OK(writeUciResult(path, example()));
  const auto found = readUciResult(path);
  ASSERT_OK(found);
  EXPECT_EQ(uciResultToJson(*found), uciResultToJson(example()));
  EXPECT_EQ(found->options, example().options);
  EXPECT_EQ(found->choice, example().choice);
  EXPECT_EQ(found->test.rmse, 0.1 + 0.2);
}

TEST(UciResult, NamesWhatIsWrongWithADamagedFile) {
  const auto messageOf = [](const char* key, const json& value) {
    json object = uciResultToJson(example());
    object[key] = value;
    const auto result = uciResultFromJson(object, "a.json");
    return result ? std::string() : result.error().message;
  };
  EXPECT_EQ(messageOf("split", 7), "");
  EXPECT_EQ(messageOf("split", 20),
            "a.json: names split 20, which does not exist; delete it and compute it again");
  EXPECT_THAT(messageOf("split", 1.5), HasSubstr("\"split\" is not a number of at least 0"));
  EXPECT_THAT(messageOf("set", "mnist"), HasSubstr("names an unknown set, \"mnist\""));
  EXPECT_THAT(messageOf("method", 3), HasSubstr("\"method\" is not a text"));
  EXPECT_THAT(messageOf("method", "magic"), HasSubstr("names an unknown method, \"magic\""));
  EXPECT_THAT(messageOf("rmse", json()), HasSubstr("\"rmse\" is not a number"));
  EXPECT_THAT(messageOf("choice", json::array()), HasSubstr("\"choice\" is not a JSON object"));
  EXPECT_THAT(messageOf("seed", -1), HasSubstr("\"seed\" is not a number of at least 0"));
  EXPECT_THAT(messageOf("draws", 0), HasSubstr("\"draws\" is not a number of at least 1"));
  EXPECT_THAT(messageOf("schema_version", 2), HasSubstr("schema version 2, newer"));
  json without = uciResultToJson(example());
  without.erase("log_likelihood");
  EXPECT_THAT(uciResultFromJson(without, "a.json").error().message,
              HasSubstr("has no \"log_likelihood\""));
  EXPECT_THAT(uciResultFromJson(json(3), "a.json").error().message,
              HasSubstr("is not a JSON object"));
}

TEST(UciResult, AFileThatWasCutOffIsDamaged) {
  const test::TempDir folder;
  const std::string path = uciResultPath(folder.path().string(), "yacht", "mc-dropout-1x", 7);
  ASSERT_OK(writeUciResult(path, example()));
  const std::string text = test::readBytes(path);
  test::writeBytes(path, text.substr(0, text.size() / 2));
  const auto found = readUciResults(folder.path().string());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kMalformed);
  EXPECT_EQ(found.error().message,
            path + ": is not JSON, or is incomplete; delete it and compute it again");
}

TEST(UciResult, AFileUnderAnotherNameIsRefused) {
  const test::TempDir folder;
  const std::string path = uciResultPath(folder.path().string(), "yacht", "mc-dropout-1x", 8);
  ASSERT_OK(writeUciResult(path, example()));
  EXPECT_THAT(readUciResult(path).error().message,
              HasSubstr("is the result of yacht with mc-dropout-1x on split 7; rename it"));
}

TEST(UciResult, ReadsAFolderAndAnArrayInTheSameOrder) {
  const test::TempDir folder;
  json array = json::array();
  for (const std::int64_t split : {12, 3}) {
    for (const char* const set : {"yacht", "boston"}) {
      UciResult result = example();
      result.set = set;
      result.split = split;
      ASSERT_OK(writeUciResult(uciResultPath(folder.path().string(), set, "mc-dropout-1x", split),
                               result));
      array.push_back(uciResultToJson(result));
    }
  }
  test::writeBytes(folder.file("notes.txt"), "not a result");
  test::writeBytes(folder.file("table.json"), json{{"results", array}}.dump());
  const auto found = readUciResults(folder.path().string());
  ASSERT_OK(found);
  const auto listed = readUciResults(folder.file("table.json"));
  ASSERT_OK(listed);
  ASSERT_EQ(found->size(), 4U);
  ASSERT_EQ(listed->size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(uciResultToJson((*found)[i]), uciResultToJson((*listed)[i]));
  }
  EXPECT_EQ((*found)[0].set, "boston");
  EXPECT_EQ((*found)[0].split, 3);
}

TEST(UciResult, AnEmptyFolderAndAForeignFileSaySo) {
  const test::TempDir folder;
  EXPECT_EQ(readUciResults(folder.path().string()).error().code, ErrorCode::kNotFound);
  test::writeBytes(folder.file("other.json"), "{\"a\": 1}");
  EXPECT_THAT(readUciResults(folder.file("other.json")).error().message,
              HasSubstr("has no array \"results\""));
  test::writeBytes(folder.file("list.json"), "[1, 2]");
  EXPECT_THAT(readUciResults(folder.file("list.json")).error().message,
              HasSubstr("has no array \"results\""));
  EXPECT_FALSE(readUciResults(folder.file("missing")));
}

}  // namespace
}  // namespace dubito
