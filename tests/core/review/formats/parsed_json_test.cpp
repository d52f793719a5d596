// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/parsed_json.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace dubito {
namespace {

std::string errorOf(const std::string& text) {
  const auto value = parseJson(text, "FILE", "write it again");
  EXPECT_FALSE(value) << text;
  return value ? std::string() : value.error().message;
}

TEST(ParsedJson, StatesPositionReasonAndRemedy) {
  EXPECT_EQ(errorOf("{\"a\": 1,\n\"b\": }"),
            "FILE: line 2, column 6: syntax error while parsing value - unexpected '}'; expected "
            "'[', '{', or a literal; write it again");
  EXPECT_THAT(errorOf("{\"a\": \"\xFF\"}"), HasSubstr("column 8"));
  EXPECT_THAT(errorOf("[1e999]"), HasSubstr("1e999"));
  EXPECT_THAT(errorOf(""), HasSubstr("line 1, column 1"));
  EXPECT_LT(errorOf("\"" + std::string(100000, 'x')).size(), 400U);
}

TEST(ParsedJson, LimitsTheDepth) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_OK(parseJson(nested(60), "FILE", "x"));
  EXPECT_THAT(errorOf(nested(70)), HasSubstr("more than 64 levels"));
  EXPECT_THAT(errorOf(nested(1000000)), HasSubstr("more than 64 levels"));
}

TEST(ParsedJson, LeavesOutWhatIsNotNeeded) {
  const auto value =
      parseJson(R"({"a": 1, "big": {"a": [1, 2]}, "b": {"big": "x", "c": 2}})", "FILE", "x", "big");
  ASSERT_OK(value);
  EXPECT_EQ(*value, nlohmann::json::parse(R"({"a": 1, "b": {"c": 2}})"));
}

TEST(ParsedJson, ReadsMembers) {
  const auto value = parseJson(R"({"n": 7, "s": "8", "l": {"$numberLong": "9"}, "f": 1.5,
      "u": 18446744073709551615, "t": "text", "list": [1]})",
                               "FILE", "x");
  ASSERT_OK(value);
  EXPECT_EQ(integerMember(*value, "n"), 7);
  EXPECT_EQ(integerMember(*value, "s"), 8);
  EXPECT_EQ(integerMember(*value, "l"), 9);
  EXPECT_EQ(integerMember(*value, "f"), std::nullopt);
  EXPECT_EQ(integerMember(*value, "u"), std::nullopt);
  EXPECT_EQ(integerMember(*value, "t"), std::nullopt);
  EXPECT_EQ(integerMember(*value, "none"), std::nullopt);
  EXPECT_EQ(numberMember(*value, "f"), 1.5);
  EXPECT_EQ(numberMember(*value, "t"), std::nullopt);
  EXPECT_EQ(textMember(*value, "t"), "text");
  EXPECT_EQ(textMember(*value, "n"), "");
  EXPECT_EQ(listMember(*value, "list").size(), 1U);
  EXPECT_EQ(listMember(*value, "n").size(), 0U);
  EXPECT_EQ(memberOf(*memberOf(*value, "list"), "x"), nullptr);
}

}  // namespace
}  // namespace dubito
