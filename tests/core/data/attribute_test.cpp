// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/attribute.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace dubito {
namespace {

Attribute columnOf(const std::vector<std::string>& cells) {
  AttributeBuilder builder("camera");
  for (const std::string& cell : cells) {
    builder.add(cell);
  }
  return std::move(builder).finish();
}

std::vector<std::string> textsOf(const Attribute& attribute) {
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < attribute.size(); ++i) {
    texts.push_back(attribute.text(i));
  }
  return texts;
}

TEST(Attribute, NumbersAreNumbersAndEmptyCellsAreNone) {
  const Attribute attribute = columnOf({"3", " 2.5 ", "", "-1e3", "3", "nan"});
  ASSERT_NE(attribute.numbers(), nullptr);
  EXPECT_EQ(attribute.texts(), nullptr);
  const NumberColumn& numbers = *attribute.numbers();
  ASSERT_EQ(numbers.size(), 6U);
  EXPECT_EQ(numbers[0], 3.0);
  EXPECT_EQ(numbers[1], 2.5);
  EXPECT_TRUE(std::isnan(numbers[2]));
  EXPECT_EQ(numbers[3], -1000.0);
  EXPECT_TRUE(std::isnan(numbers[5]));
  EXPECT_EQ(textsOf(attribute), (std::vector<std::string>{"3", "2.5", "", "-1000", "3", ""}));
}

TEST(Attribute, OneWordAmongNumbersMakesTexts) {
  const Attribute attribute = columnOf({"2", "north", "", "10", "north"});
  ASSERT_NE(attribute.texts(), nullptr);
  EXPECT_EQ(attribute.texts()->values, (std::vector<std::string>{"10", "2", "north"}));
  EXPECT_EQ(attribute.texts()->codes, (std::vector<std::int32_t>{1, 2, -1, 0, 2}));
  EXPECT_EQ(textsOf(attribute), (std::vector<std::string>{"2", "north", "", "10", "north"}));
}

TEST(Attribute, AColumnWithoutAnyValueIsText) {
  const Attribute attribute = columnOf({"", " "});
  ASSERT_NE(attribute.texts(), nullptr);
  EXPECT_TRUE(attribute.texts()->values.empty());
  EXPECT_EQ(attribute.size(), 2);
}

TEST(Attribute, RowsKeepTheirValues) {
  const std::vector<std::int64_t> positions{4, 0, 2, 4};
  const Attribute texts = columnOf({"b", "a", "", "c", "d"}).rows(positions);
  EXPECT_EQ(texts.name, "camera");
  EXPECT_EQ(textsOf(texts), (std::vector<std::string>{"d", "b", "", "d"}));
  EXPECT_EQ(texts.texts()->values, (std::vector<std::string>{"b", "d"})) << "no more than is there";
  const Attribute numbers = columnOf({"5", "4", "", "3", "2"}).rows(positions);
  EXPECT_EQ(textsOf(numbers), (std::vector<std::string>{"2", "5", "", "2"}));
  EXPECT_THROW((void)numbers.rows(std::vector<std::int64_t>{5}), std::out_of_range);
}

}  // namespace
}  // namespace dubito
