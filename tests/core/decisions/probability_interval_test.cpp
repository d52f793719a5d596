// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/probability_interval.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

dubito::Run runOfAlpha(const std::vector<double>& alpha) {
  dubito::Run run;
  const auto classes = static_cast<std::int64_t>(alpha.size());
  run.ids = Array<std::int64_t>::fromVector({5});
  run.probs = Array<float>::zeros({1, classes});
  run.alpha = Array<double>::zeros({1, classes});
  std::ranges::copy(alpha, run.alpha->mutableRow(0).begin());
  return run;
}

TEST(ProbabilityInterval, IsTheCentralOneOfTheBetaMarginal) {
  // Beta(1, 1) is uniform; Beta(2, 1) has the distribution function x^2.
  const dubito::Run uniform = runOfAlpha({1.0, 1.0});
  const auto central = probabilityInterval(uniform, 0, 0);
  ASSERT_TRUE(central);
  EXPECT_NEAR(central->low, 0.025, 1e-9);
  EXPECT_NEAR(central->high, 0.975, 1e-9);
  const auto half = probabilityInterval(runOfAlpha({2.0, 0.4, 0.6}), 0, 0, 0.5);
  ASSERT_TRUE(half);
  EXPECT_NEAR(half->low, 0.5, 1e-9);
  EXPECT_NEAR(half->high, std::sqrt(0.75), 1e-9);
}

TEST(ProbabilityInterval, MatchesTheMomentsOfDraws) {
  dubito::Run run;
  run.ids = Array<std::int64_t>::fromVector({5});
  run.probs = Array<float>::zeros({1, 2});
  run.samples = Array<float>::zeros({2, 1, 2});
  // Mean 1/2 and variance 1/12: those of the uniform distribution.
  const double deviation = std::sqrt(1.0 / 12.0);
  for (const int t : {0, 1}) {
    const double prob = 0.5 + (t == 0 ? deviation : -deviation);
    run.samples->mutableRow(t)[0] = static_cast<float>(prob);
    run.samples->mutableRow(t)[1] = static_cast<float>(1.0 - prob);
  }
  const auto interval = probabilityInterval(run, 0, 1);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 0.025, 1e-6);
  EXPECT_NEAR(interval->high, 0.975, 1e-6);
}

TEST(ProbabilityInterval, NeedsADistribution) {
  dubito::Run run;
  run.ids = Array<std::int64_t>::fromVector({5});
  run.probs = Array<float>::zeros({1, 2});
  EXPECT_FALSE(probabilityInterval(run, 0, 0));
}

}  // namespace
}  // namespace dubito
