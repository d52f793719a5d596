// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/mixup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace dubito {
namespace {

constexpr std::int64_t kDraws = 20000;

// Beta(a, a): mean 1/2, variance 1 / (4 (2 a + 1)), fourth central moment 3 / (16 (2 a + 1)
// (2 a + 3)). The tolerances are five standard errors.
TEST(Mixup, SharesHaveTheMomentsOfTheBetaDistribution) {
  for (const double a : {0.1, 0.4, 1.0, 3.0}) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::int64_t batch = 0; batch < kDraws; ++batch) {
      const double share = randomMixup(3, 1, batch, a, 1).share;
      ASSERT_GE(share, 0.0);
      ASSERT_LE(share, 1.0);
      sum += share - 0.5;
      squares += (share - 0.5) * (share - 0.5);
    }
    const double variance = 1.0 / (4.0 * (2.0 * a + 1.0));
    const double fourth = 3.0 / (16.0 * (2.0 * a + 1.0) * (2.0 * a + 3.0));
    EXPECT_NEAR(sum / kDraws, 0.0, 5.0 * std::sqrt(variance / kDraws)) << a;
    EXPECT_NEAR(squares / kDraws, variance,
                5.0 * std::sqrt((fourth - variance * variance) / kDraws))
        << a;
  }
}

// Distribution function at several points: Beta(1, 1) is uniform, Beta(2, 2) has 3 x^2 - 2 x^3,
// Beta(1/2, 1/2) has 2 / pi asin(sqrt(x)).
TEST(Mixup, SharesHaveTheDistributionFunctionOfTheBetaDistribution) {
  const std::map<double, double (*)(double)> functions{
      {0.5, [](double x) { return 2.0 / M_PI * std::asin(std::sqrt(x)); }},
      {1.0, [](double x) { return x; }},
      {2.0, [](double x) { return x * x * (3.0 - 2.0 * x); }}};
  for (const auto& [a, function] : functions) {
    for (const double x : {0.05, 0.3, 0.7, 0.95}) {
      std::int64_t below = 0;
      for (std::int64_t batch = 0; batch < kDraws; ++batch) {
        below += randomMixup(8, 2, batch, a, 1).share < x ? 1 : 0;
      }
      const double expected = function(x);
      EXPECT_NEAR(static_cast<double>(below) / kDraws, expected,
                  5.0 * std::sqrt(expected * (1.0 - expected) / kDraws))
          << a << ", " << x;
    }
  }
}

TEST(Mixup, VanishingAMixesNothing) {
  for (std::int64_t batch = 0; batch < 100; ++batch) {
    const double share = randomMixup(1, 0, batch, 1e-300, 1).share;
    EXPECT_TRUE(share == 0.0 || share == 1.0) << share;
  }
}

// All 24 permutations of four partners are equally frequent: chi-squared with 23 degrees of
// freedom.
TEST(Mixup, PartnersAreAUniformPermutation) {
  std::map<std::vector<std::int64_t>, int> counts;
  for (std::int64_t batch = 0; batch < 24000; ++batch) {
    ++counts[randomMixup(5, 0, batch, 0.4, 4).partners];
  }
  ASSERT_EQ(counts.size(), 24U);
  double chi_squared = 0.0;
  for (const auto& [order, count] : counts) {
    chi_squared += (count - 1000.0) * (count - 1000.0) / 1000.0;
  }
  EXPECT_LT(chi_squared, 60.0);
}

TEST(Mixup, DependsOnSeedEpochAndBatchAlone) {
  const Mixup mixup = randomMixup(1, 2, 3, 0.4, 8);
  EXPECT_EQ(randomMixup(1, 2, 3, 0.4, 8).share, mixup.share);
  EXPECT_EQ(randomMixup(1, 2, 3, 0.4, 8).partners, mixup.partners);
  EXPECT_NE(randomMixup(2, 2, 3, 0.4, 8).share, mixup.share);
  EXPECT_NE(randomMixup(1, 3, 3, 0.4, 8).share, mixup.share);
  EXPECT_NE(randomMixup(1, 2, 4, 0.4, 8).share, mixup.share);
}

}  // namespace
}  // namespace dubito
