// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/utc_time.h"

#include <gtest/gtest.h>

#include <limits>

namespace dubito {
namespace {

TEST(UtcTime, WritesIso8601) {
  EXPECT_EQ(utcText(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(utcText(1763913600250), "2025-11-23T16:00:00.250Z");
  EXPECT_EQ(utcText(951782399999), "2000-02-28T23:59:59.999Z");
  EXPECT_EQ(utcText(253402300799999), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(utcText(253402300800000), "253402300800000");
  EXPECT_EQ(utcText(-1), "-1");
}

TEST(UtcTime, ReadsWhatToolsWrite) {
  EXPECT_EQ(parseUtcText("2021-03-09T22:16:08.728353Z"), 1615328168728);
  EXPECT_EQ(parseUtcText("2021-03-09 22:16:08"), 1615328168000);
  EXPECT_EQ(parseUtcText("2021-03-09T22:16"), 1615328160000);
  EXPECT_EQ(parseUtcText("2021-03-09"), 1615248000000);
  EXPECT_EQ(parseUtcText("2018-06-06 15:47:04.386866+03:00"), 1528289224386);
  EXPECT_EQ(parseUtcText("2018-06-06T10:47:04-0200"), 1528289224000);
  EXPECT_EQ(parseUtcText("2018-06-06T13:47:04+01"), 1528289224000);
  EXPECT_EQ(parseUtcText(" 1615328168728 "), 1615328168728);
}

TEST(UtcTime, ComesBack) {
  for (const std::int64_t time :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{1763913600250}, std::int64_t{-5},
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(parseUtcText(utcText(time)), time);
  }
}

TEST(UtcTime, RefusesOtherTexts) {
  for (const char* const text : {"", "noon", "2021-13-01", "2021-02-30", "2021-02", "2021-02-03T",
                                 "2021-02-03T25:00", "2021-02-03T10:00x", "2021-02-03T10:00+",
                                 "2021-02-03T10:00:61", "2021/02/03", "99999999999999999999"}) {
    EXPECT_EQ(parseUtcText(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace dubito
