// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/augment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

namespace dubito {
namespace {

TEST(EpochOrder, IsAPermutationOfItsOwnForEachEpochAndSeed) {
  const auto first = epochOrder(1000, 1, 0);
  auto sorted = first;
  std::sort(sorted.begin(), sorted.end());
  for (std::int64_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(sorted[static_cast<std::size_t>(i)], i);
  }
  EXPECT_EQ(first, epochOrder(1000, 1, 0));
  EXPECT_NE(first, epochOrder(1000, 1, 1));
  EXPECT_NE(first, epochOrder(1000, 2, 0));
}

// All 24 orders of four items are equally frequent: chi-squared with 23 degrees of freedom.
TEST(EpochOrder, IsUniform) {
  std::map<std::vector<std::int64_t>, int> counts;
  constexpr int kDraws = 24000;
  for (int epoch = 0; epoch < kDraws; ++epoch) {
    ++counts[epochOrder(4, 9, epoch)];
  }
  ASSERT_EQ(counts.size(), 24U);
  double chi_squared = 0.0;
  for (const auto& [order, count] : counts) {
    chi_squared += (count - 1000.0) * (count - 1000.0) / 1000.0;
  }
  EXPECT_LT(chi_squared, 60.0);
}

TEST(RandomShift, CoversItsRangeEvenly) {
  std::map<std::int64_t, int> down;
  std::map<std::int64_t, int> right;
  for (std::int64_t item = 0; item < 5000; ++item) {
    const Shift shift = randomShift(3, 2, item, 2);
    ++down[shift.down];
    ++right[shift.right];
  }
  for (std::int64_t value = -2; value <= 2; ++value) {
    EXPECT_NEAR(down[value], 1000, 150) << value;
    EXPECT_NEAR(right[value], 1000, 150) << value;
  }
  EXPECT_EQ(down.size(), 5U);
  EXPECT_EQ(right.size(), 5U);
}

TEST(ShiftImage, MovesAndRepeatsTheEdge) {
  const std::array<float, 6> image{1, 2, 3,  //
                                   4, 5, 6};
  std::array<float, 6> moved{};
  shiftImage(image.data(), moved.data(), 1, 2, 3, {0, 1});
  EXPECT_EQ(moved, (std::array<float, 6>{1, 1, 2, 4, 4, 5}));
  shiftImage(image.data(), moved.data(), 1, 2, 3, {1, -1});
  EXPECT_EQ(moved, (std::array<float, 6>{2, 3, 3, 2, 3, 3}));
  shiftImage(image.data(), moved.data(), 1, 2, 3, {-1, 0});
  EXPECT_EQ(moved, (std::array<float, 6>{4, 5, 6, 4, 5, 6}));
  shiftImage(image.data(), moved.data(), 1, 2, 3, {-9, 9});
  EXPECT_EQ(moved, (std::array<float, 6>{4, 4, 4, 4, 4, 4}));
  shiftImage(image.data(), moved.data(), 2, 1, 3, {0, -9});
  EXPECT_EQ(moved, (std::array<float, 6>{3, 3, 3, 6, 6, 6}));
}

}  // namespace
}  // namespace dubito
