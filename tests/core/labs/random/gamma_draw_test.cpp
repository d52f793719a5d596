// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/random/keyed_random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dubito {
namespace {

TEST(GammaDraw, HasTheMomentsOfTheDistribution) {
  for (const double shape : {1.0, 2.5, 40.0}) {
    constexpr std::uint32_t kDraws = 40000;
    double sum = 0.0;
    double squares = 0.0;
    double above = 0.0;
    for (std::uint32_t t = 0; t < kDraws; ++t) {
      const double value = gammaDraw(shape, 5, 1, t);
      ASSERT_GT(value, 0.0);
      sum += value;
      squares += value * value;
      above += value > shape ? 1.0 : 0.0;
    }
    const double mean = sum / kDraws;
    EXPECT_NEAR(mean, shape, 4.0 * std::sqrt(shape / kDraws));
    // Fourth central moment 3 shape^2 + 6 shape.
    EXPECT_NEAR(squares / kDraws - mean * mean, shape,
                4.0 * std::sqrt((2.0 * shape * shape + 6.0 * shape) / kDraws));
    if (shape == 1.0) {
      // The exponential distribution.
      EXPECT_NEAR(above / kDraws, std::exp(-1.0), 4.0 * std::sqrt(0.24 / kDraws));
    }
  }
}

TEST(GammaDraw, IsKeyed) {
  EXPECT_EQ(gammaDraw(3.0, 1, 2, 3), gammaDraw(3.0, 1, 2, 3));
  EXPECT_NE(gammaDraw(3.0, 1, 2, 3), gammaDraw(3.0, 1, 2, 4));
  EXPECT_NE(gammaDraw(3.0, 1, 2, 3), gammaDraw(3.0, 1, 3, 3));
  EXPECT_NE(gammaDraw(3.0, 1, 2, 3), gammaDraw(3.0, 2, 2, 3));
}

}  // namespace
}  // namespace dubito
