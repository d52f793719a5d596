// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/mask_key.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

// theory, section 4: (block, draw, item low word, item high word).
TEST(MaskCounter, IsTheBlockTheDrawAndBothWordsOfTheItem) {
  const MaskCounter counter = maskCounter(7, 0xfffffffeLL, 0x123456789abcdef0LL);
  EXPECT_EQ(counter.block, 7U);
  EXPECT_EQ(counter.draw, 0xfffffffeU);
  EXPECT_EQ(counter.item_low, 0x9abcdef0U);
  EXPECT_EQ(counter.item_high, 0x12345678U);
}

TEST(MaskCounter, TakesEveryId) {
  const MaskCounter counter = maskCounter(0, 0, -1);
  EXPECT_EQ(counter.item_low, 0xffffffffU);
  EXPECT_EQ(counter.item_high, 0xffffffffU);
}

TEST(IsKept, FromTheThresholdOn) {
  EXPECT_FALSE(isKept(9, 10));
  EXPECT_TRUE(isKept(10, 10));
  EXPECT_TRUE(isKept(0, 0));
}

}  // namespace
}  // namespace dubito
