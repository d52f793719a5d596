// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/grouped_digits.h"

#include <gtest/gtest.h>

#include <limits>

namespace dubito {
namespace {

TEST(GroupedDigits, AreThreeByThree) {
  EXPECT_EQ(groupedDigits(0), "0");
  EXPECT_EQ(groupedDigits(999), "999");
  EXPECT_EQ(groupedDigits(1000), "1\u2009000");
  EXPECT_EQ(groupedDigits(-100), "-100");
  EXPECT_EQ(groupedDigits(-1234567), "-1\u2009234\u2009567");
  EXPECT_EQ(groupedDigits(std::numeric_limits<std::int64_t>::min()),
            "-9\u2009223\u2009372\u2009036\u2009854\u2009775\u2009808");
}

}  // namespace
}  // namespace dubito
