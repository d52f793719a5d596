// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/grouped_digits.h"

#include <gtest/gtest.h>

#include <limits>

namespace dubito {
namespace {

TEST(GroupedDigits, AreThreeByThree) {
  EXPECT_EQ(groupedDigits(0), "0");
  EXPECT_EQ(groupedDigits(999), "999");
  EXPECT_EQ(groupedDigits(1000), "1\u202F000");
  EXPECT_EQ(groupedDigits(-100), "-100");
  EXPECT_EQ(groupedDigits(-1234567), "-1\u202F234\u202F567");
  EXPECT_EQ(groupedDigits(std::numeric_limits<std::int64_t>::min()),
            "-9\u202F223\u202F372\u202F036\u202F854\u202F775\u202F808");
}

}  // namespace
}  // namespace dubito
