// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/damping.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

/// Adds the changes of one window: `first`, then less.
void addWindow(Damping& damping, double first) {
  for (std::int64_t step = 0; step < Damping::kWindow; ++step) {
    damping.add(first * (step == Damping::kWindow / 2 ? 0.9 : 1.0));
  }
}

TEST(Damping, StaysWhileChangesGetSmaller) {
  Damping damping(0.0);
  for (double change = 1.0; change > 1e-12; change *= 0.7) {
    addWindow(damping, change);
  }
  EXPECT_EQ(damping.share(), 0.0);
  EXPECT_FALSE(damping.stuck());
}

TEST(Damping, GrowsWhileChangesDoNotGetSmallerAndGivesUp) {
  Damping damping(0.0);
  addWindow(damping, 1.0);
  EXPECT_EQ(damping.share(), 0.0);
  double before = 0.0;
  int windows = 0;
  for (; !damping.stuck(); ++windows) {
    ASSERT_LT(windows, 100);
    addWindow(damping, 1.0);
    EXPECT_GE(damping.share(), before);
    EXPECT_LE(damping.share(), Damping::kMaxShare);
    before = damping.share();
  }
  EXPECT_EQ(damping.share(), Damping::kMaxShare);
  EXPECT_GE(windows, Damping::kPatience);
}

TEST(Damping, ProgressRenewsThePatience) {
  Damping damping(Damping::kMaxShare);
  double change = 1.0;
  for (int round = 0; round < 5; ++round) {
    addWindow(damping, change);
    for (std::int64_t window = 1; window < Damping::kPatience; ++window) {
      addWindow(damping, change);
    }
    EXPECT_FALSE(damping.stuck()) << round;
    change *= 0.5;
  }
}

TEST(Damping, ALargerShareThanTheMostIsKept) {
  Damping damping(0.99);
  for (int window = 0; window < 3; ++window) {
    addWindow(damping, 1.0);
  }
  EXPECT_EQ(damping.share(), 0.99);
}

}  // namespace
}  // namespace dubito
