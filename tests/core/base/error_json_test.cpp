// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dubito {
namespace {

using nlohmann::json;

/// The error after its way through text.
Error passedOn(const Error& error) {
  return errorFromJson(json::parse(errorToJson(error).dump()));
}

void expectEqual(const Error& read, const Error& written) {
  EXPECT_EQ(read.code, written.code);
  EXPECT_EQ(read.message, written.message);
  EXPECT_EQ(read.context, written.context);
  EXPECT_EQ(read.remedy, written.remedy);
}

TEST(ErrorJson, EveryPartOfARemedyIsReadBack) {
  const Error plain{.code = ErrorCode::kMalformed,
                    .message = "net.pt: cut short; \"save\" it again",
                    .context = "line 3\n\xC3\xA9"};
  expectEqual(passedOn(plain), plain);
  for (const Remedy& remedy :
       {Remedy{.settings = {setting("layers", "last"), setting("batch"), setting("memory", "4G")}},
        Remedy{.lines = "import torch\nprint(\"--x\")\n"},
        Remedy{.outputs = {{"logits", "N, 4", true}, {"map", "N, 4, 2, 2", false}}},
        Remedy{.needs_images = true}, Remedy{.needs_input_size = true},
        Remedy{.settings = {omitted("to")},
        .lines = "a",
        .outputs = {{"0", "N", false}},
        .needs_images = true,
        .needs_input_size = true}}) {
    Error error = plain;
    error.remedy = remedy;
    expectEqual(passedOn(error), error);
  }
}

TEST(ErrorJson, ASettingKeepsItsPlace) {
  Error error{.code = ErrorCode::kInvalidArgument, .message = "wrong"};
  for (const Setting::Place place : {Setting::Place::kOption, Setting::Place::kDataset,
                                     Setting::Place::kMetadata, Setting::Place::kWords}) {
    for (const bool is_omitted : {false, true}) {
      error.remedy.settings.push_back({"name", "some value", place, is_omitted});
    }
  }
  expectEqual(passedOn(error), error);
  error.remedy.settings = {setting("layers"), datasetSetting("role", "ood"),
                           metadataSetting("output_key"), neededWords("methods with draws")};
  expectEqual(passedOn(error), error);
  const json written = json::parse(errorToJson(error).dump())["remedy"]["settings"];
  EXPECT_EQ(written[0]["place"], "option");
  EXPECT_EQ(written[1]["place"], "dataset");
  EXPECT_EQ(written[2]["place"], "metadata");
  EXPECT_EQ(written[3]["place"], "words");
}

TEST(ErrorJson, EveryCodeIsReadBack) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::kUsage); ++code) {
    const Error error{.code = static_cast<ErrorCode>(code), .message = "failed"};
    EXPECT_EQ(passedOn(error).code, error.code);
  }
}

TEST(ErrorJson, WhatIsAbsentIsLeftOut) {
  const Error error{.code = ErrorCode::kNotFound, .message = "gone"};
  EXPECT_EQ(errorToJson(error).dump(), R"({"error":"gone","code":1,"context":""})");
  Error other = error;
  other.remedy.settings = {setting("batch")};
  EXPECT_EQ(errorToJson(other)["remedy"].dump(),
            R"({"settings":[{"name":"batch","value":"","place":"option"}]})");
}

TEST(ErrorJson, UnknownCodesAreInternal) {
  for (const char* const code : {"-1", "10000", "9223372036854775807", "18446744073709551615",
                                 "1e300", "1.5", "\"1\"", "null", "[1]"}) {
    const Error error =
        errorFromJson(json::parse(std::string(R"({"error": "gone", "code": )") + code + "}"));
    EXPECT_EQ(error.code, ErrorCode::kInternal) << code;
    EXPECT_EQ(error.message, "gone") << code;
  }
  EXPECT_EQ(errorFromJson(json::parse(R"({"error": "gone"})")).code, ErrorCode::kInternal);
}

TEST(ErrorJson, WrongTypesAreLeftEmpty) {
  for (const char* const text :
       {"null", "3", "true", "\"error\"", "[]", "[{\"error\": \"gone\"}]", "{}",
        R"({"error": 3, "code": {}, "context": [], "remedy": null})",
        R"({"error": null, "context": true, "remedy": "--layers"})",
        R"({"remedy": [{"lines": "x"}]})",
        R"({"remedy": {"settings": {"name": "a"}, "lines": 3, "outputs": "b",
                       "needs_images": 1, "needs_input_size": "true"}})"}) {
    expectEqual(errorFromJson(json::parse(text)), Error());
  }
  const Error read = errorFromJson(json::parse(
      R"({"remedy": {"settings": [3, null, {"name": 1, "value": [], "place": 0, "omitted": "no"},
                                  {"name": "batch", "place": "elsewhere"}],
                     "outputs": [null, {"name": {}, "shape": 4, "can_be_scores": 1}]}})"));
  EXPECT_EQ(read.remedy.settings,
            (std::vector<Setting>{setting(""), setting(""), setting(""), setting("batch")}));
  EXPECT_EQ(read.remedy.outputs, (std::vector<OutputOption>{{}, {}}));
}

TEST(ErrorJson, ErrorsPassedOnKeepTheirRemedy) {
  const Expected<int> failed =
      fail(ErrorCode::kInvalidArgument, "no layer", {setting("layers", "last")}, "details");
  const Error of_part = failOf("net.pt", failed.error()).value();
  EXPECT_EQ(of_part.message, "net.pt: no layer");
  Error expected = failed.error();
  expected.message = "net.pt: no layer";
  expectEqual(of_part, expected);
  expectEqual(failWith(failed).value(), failed.error());
}

}  // namespace
}  // namespace dubito
