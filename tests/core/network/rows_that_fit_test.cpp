// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/rows_that_fit.h"
#include "tests/support/matchers.h"

#include <gtest/gtest.h>

#include <utility>

namespace dubito {
namespace {

using Range = std::pair<std::int64_t, std::int64_t>;

/// Notes every range that it was asked for; more rows than `most` do not fit.
struct Machine {
  std::int64_t most = 0;
  std::vector<Range> asked = {};

  Status operator()(std::int64_t begin, std::int64_t end) {
    asked.emplace_back(begin, end);
    return end - begin > most ? Status(fail(ErrorCode::kOutOfMemory, "full")) : Status();
  }
};

TEST(RowsThatFit, AllRowsGoTogetherWhereTheyFit) {
  RowsThatFit rows(true);
  Machine machine{100};
  EXPECT_TRUE(rows.walk(10, std::ref(machine)));
  EXPECT_EQ(machine.asked, (std::vector<Range>{{0, 10}}));
  EXPECT_TRUE(rows.notes().empty());
  EXPECT_TRUE(rows.walk(0, std::ref(machine)));
  EXPECT_EQ(machine.asked.size(), 1U);
}

TEST(RowsThatFit, HalvesUntilTheyFitAndRemembersIt) {
  RowsThatFit rows(true);
  Machine machine{3};
  EXPECT_TRUE(rows.walk(10, std::ref(machine)));
  EXPECT_EQ(machine.asked,
            (std::vector<Range>{{0, 10}, {0, 5}, {0, 2}, {2, 4}, {4, 6}, {6, 8}, {8, 10}}));
  machine.asked.clear();
  EXPECT_TRUE(rows.walk(3, std::ref(machine)));
  EXPECT_EQ(machine.asked, (std::vector<Range>{{0, 2}, {2, 3}}));
  ASSERT_EQ(rows.notes().size(), 1U);
  EXPECT_THAT(rows.notes()[0], HasSubstr("at most 2 items"));
}

TEST(RowsThatFit, TakesNoMoreThanIsWanted) {
  RowsThatFit rows(true);
  Machine machine{100};
  EXPECT_TRUE(rows.walk(
      7, [] { return 3; }, std::ref(machine)));
  EXPECT_EQ(machine.asked, (std::vector<Range>{{0, 3}, {3, 6}, {6, 7}}));
}

TEST(RowsThatFit, GivesUpAtOneRowAtOtherErrorsAndWhereRowsBelongTogether) {
  RowsThatFit rows(true);
  Machine machine{0};
  const Status full = rows.walk(2, std::ref(machine));
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::kOutOfMemory);
  EXPECT_EQ(machine.asked, (std::vector<Range>{{0, 2}, {0, 1}}));

  int calls = 0;
  const Status broken = RowsThatFit(true).walk(8, [&](std::int64_t, std::int64_t) -> Status {
    ++calls;
    return fail(ErrorCode::kMalformed, "NaN");
  });
  EXPECT_EQ(broken.error().code, ErrorCode::kMalformed);
  EXPECT_EQ(calls, 1);

  Machine small{3};
  EXPECT_FALSE(RowsThatFit(false).walk(8, std::ref(small)));
  EXPECT_EQ(small.asked.size(), 1U);
}

}  // namespace
}  // namespace dubito
