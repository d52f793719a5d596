// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/history.h"

#include <gtest/gtest.h>

#include <QString>

namespace dubito {
namespace {

/// What a laboratory records: the source of its points, or points that were drawn.
struct Points {
  QString source;
  std::optional<int> own;
};

Points own(int data) {
  return {QStringLiteral("own"), data};
}

TEST(History, TakesBackAndDoesAgainInOrder) {
  History<Points> history;
  EXPECT_FALSE(history.undo(own(0)));
  EXPECT_FALSE(history.redo(own(0)));
  history.push({QStringLiteral("sine"), std::nullopt});
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

TEST(History, AChangeForgetsWhatWasTakenBack) {
  History<Points> history;
  history.push(own(1));
  (void)history.undo(own(2));
  history.push(own(1));
  EXPECT_FALSE(history.redo(own(3)));
  EXPECT_EQ(history.undo(own(3))->own, 1);
}

TEST(History, TheOldestStepsAreForgottenFirst) {
  History<Points> history;
  const int count = static_cast<int>(History<Points>::kMaxSteps) + 3;
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
