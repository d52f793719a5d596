// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_history.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

LabState<int> own(int data) {
  return {QStringLiteral("own"), data, 0};
}

TEST(LabHistory, TakesBackAndDoesAgainInOrder) {
  LabHistory<int> history;
  EXPECT_FALSE(history.undo(own(0)));
  EXPECT_FALSE(history.redo(own(0)));
  history.push({QStringLiteral("sine"), std::nullopt, 0});
  history.push(own(1));
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
  LabHistory<int> history;
  history.push(own(1));
  (void)history.undo(own(2));
  history.push(own(1));
  EXPECT_FALSE(history.redo(own(3)));
  EXPECT_EQ(history.undo(own(3))->own, 1);
}

TEST(LabHistory, TheOldestStepsAreForgottenFirst) {
  LabHistory<int> history;
  const int count = static_cast<int>(LabHistory<int>::kMaxSteps) + 3;
  for (int i = 0; i < count; ++i) {
    history.push(own(i));
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
