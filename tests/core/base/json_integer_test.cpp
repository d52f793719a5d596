// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_integer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dubito {
namespace {

using nlohmann::json;

TEST(JsonInteger, IsReadFromAllWaysToWriteIt) {
  EXPECT_EQ(integerFrom<int>(json::parse("5")), 5);
  EXPECT_EQ(integerFrom<int>(json::parse("5.0")), 5);
  EXPECT_EQ(integerFrom<int>(json::parse("-2147483648")), std::numeric_limits<int>::min());
  EXPECT_EQ(integerFrom<int>(json::parse("-2147483648.0")), std::numeric_limits<int>::min());
  EXPECT_EQ(integerFrom<std::int64_t>(json::parse("9223372036854775807")),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(integerFrom<std::uint64_t>(json::parse("18446744073709551615")),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(integerFrom<std::uint64_t>(json::parse("1e19")), 10'000'000'000'000'000'000U);
}

template <class T>
void expectRefused(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    EXPECT_THROW(static_cast<void>(integerFrom<T>(json::parse(text))), json::type_error) << text;
  }
}

TEST(JsonInteger, RefusesWhatTheTypeCannotHold) {
  expectRefused<int>({"2147483648", "2147483648.0", "-2147483649", "-7.5", "1e300", "-1e300",
                      "18446744073709551615"});
  expectRefused<std::int64_t>({"9223372036854775808", "9223372036854775808.0", "0.5"});
  expectRefused<std::uint64_t>({"-1", "-1.0", "18446744073709551616.0", "1e300"});
}

TEST(JsonInteger, RefusesWhatIsNoNumber) {
  expectRefused<int>({"\"5\"", "true", "null", "[5]", "{\"a\": 5}"});
  EXPECT_THROW(static_cast<void>(integerFrom<int>(json(std::nan("")))), json::type_error);
}

TEST(JsonInteger, ValuesOfOtherTypesAreReadAsTheyAre) {
  double number = 0.0;
  readInto(json::parse("0.5"), number);
  EXPECT_EQ(number, 0.5);
  bool flag = false;
  readInto(json::parse("true"), flag);
  EXPECT_TRUE(flag);
  std::int64_t count = 0;
  EXPECT_THROW(readInto(json::parse("0.5"), count), json::type_error);
  EXPECT_THROW(readInto(json::parse("1"), flag), json::type_error);
}

}  // namespace
}  // namespace dubito
