// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_history.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

using History = LabHistory<int>;

History::State own(int data) {
  return {QStringLiteral("own"), data, 0};
}

TEST(LabHistory, TakesBackAndDoesAgainInOrder) {
  History history;
  EXPECT_FALSE(history.undo(own(0)));
  EXPECT_FALSE(history.redo(own(0)));
  history.record({QStringLiteral("sine"), std::nullopt, 0});
  history.record(own(1));
  const auto first = history.undo(own(2));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->own, 1);
  const auto second = history.undo(*first);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->source, QStringLiteral("sine"));
  EXPECT_FALSE(second->own);
  EXPECT_FALSE(history.undo(*second));
  EXPECT_EQ(history.redo(*second)->own, 1);
  EXPECT_EQ(history.redo(own(1))->own, 2);
  EXPECT_FALSE(history.redo(own(2)));
}

TEST(LabHistory, AChangeForgetsWhatWasTakenBack) {
  History history;
  history.record(own(1));
  (void)history.undo(own(2));
  history.record(own(1));
  EXPECT_FALSE(history.redo(own(3)));
  EXPECT_EQ(history.undo(own(3))->own, 1);
}

TEST(LabHistory, TheOldestStepsAreForgottenFirst) {
  History history;
  const int count = static_cast<int>(History::kMaxSteps) + 3;
  for (int i = 0; i < count; ++i) {
    history.record(own(i));
  }
  int steps = 0;
  int last = count;
  while (const auto state = history.undo(own(last))) {
    last = *state->own;
    ++steps;
  }
  EXPECT_EQ(steps, count - 3);
  EXPECT_EQ(last, 3);
  history.clear();
  EXPECT_FALSE(history.redo(own(last)));
}

}  // namespace
}  // namespace dubito
