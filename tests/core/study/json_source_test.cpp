// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/json_source.h"

#include "tests/support/matchers.h"

namespace dubito {
namespace {

TEST(JsonSource, KnowsTheLineOfEveryValue) {
  const auto source =
      JsonSource::parse("{\n \"a\": 1,\n \"b\": [\n  \"x\",\n  {\"c\": 2}\n ]\n}\n", "f.json");
  ASSERT_OK(source);
  EXPECT_EQ(source->placeOf(""), "f.json");
  EXPECT_EQ(source->placeOf("a"), "f.json, line 2, a");
  EXPECT_EQ(source->placeOf("b"), "f.json, line 3, b");
  EXPECT_EQ(source->placeOf("b[0]"), "f.json, line 4, b[0]");
  EXPECT_EQ(source->placeOf("b[1].c"), "f.json, line 5, b[1].c");
  // The parser has read the line break when it knows that the number ends.
  const auto last = JsonSource::parse("{\n \"a\": 1\n}", "f.json");
  ASSERT_OK(last);
  EXPECT_EQ(last->placeOf("a"), "f.json, line 2, a");
}

TEST(JsonSource, NamesTheLineOfASyntaxError) {
  const auto source = JsonSource::parse("{\n \"a\": 1,\n \"b\" 2\n}", "f.json");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::kMalformed);
  EXPECT_THAT(source.error().message, HasSubstr("f.json, line 3"));
}

TEST(JsonSource, RefusesAKeyThatIsThereTwice) {
  const auto source = JsonSource::parse("{\n \"a\": {\n  \"b\": 1,\n  \"b\": 2}}", "f.json");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().message, "f.json, line 4: a.b is there twice; keep one of them");
}

TEST(JsonSource, ReadsValuesOrSaysWhatIsWrong) {
  const auto source = JsonSource::parse(R"({"n": 3, "big": 18446744073709551615, "x": 1.5})", "f");
  ASSERT_OK(source);
  const JsonNode root(*source);
  EXPECT_EQ(root.find("n")->wholeNumber(0, 5), 3);
  EXPECT_EQ(root.find("x")->number(), 1.5);
  EXPECT_FALSE(root.find("y"));
  for (const char* const key : {"n", "big", "x"}) {
    EXPECT_THROW((void)root.find(key)->wholeNumber(4, 5), JsonFault) << key;
  }
  EXPECT_THROW((void)root.find("n")->text(), JsonFault);
  EXPECT_THROW((void)root.find("n")->list(), JsonFault);
  EXPECT_EQ(root.find("n")->listOrOne().size(), 1U);
  const auto with_list = JsonSource::parse("{\"a\": [\n1,\n2]}", "f");
  ASSERT_OK(with_list);
  const JsonNode list_root(*with_list);
  EXPECT_EQ(list_root.find("a")->list().at(1).place(), "f, line 3, a[1]");
  EXPECT_THROW(root.expectObject({"n", "x"}), JsonFault);
}

TEST(JsonSource, DeepNestingIsRefused) {
  const std::string deep = std::string(100000, '[');
  const auto source = JsonSource::parse("{\n \"a\": " + deep, "s.json");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().message,
            "s.json, line 2: has more than 64 levels; correct the JSON there");
  EXPECT_OK(JsonSource::parse(std::string(64, '[') + std::string(64, ']'), "s.json"));
  EXPECT_FALSE(JsonSource::parse(std::string(65, '[') + std::string(65, ']'), "s.json"));
}

}  // namespace
}  // namespace dubito
