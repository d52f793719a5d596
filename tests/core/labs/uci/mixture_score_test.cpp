// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/mixture_score.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

UciProblem threeItems() {
  UciProblem problem;
  problem.test_y = {12.0, 9.5, 20.0};
  problem.target_mean = 10.0;
  problem.target_std = 4.0;
  return problem;
}

double density(double y, double mean, double variance) {
  return std::exp(-0.5 * (y - mean) * (y - mean) / variance) /
         std::sqrt(2.0 * std::numbers::pi * variance);
}

TEST(MixtureScore, IsTheDensityOfTheMixtureInTheUnitOfTheTarget) {
  const UciProblem problem = threeItems();
  const std::vector<std::vector<double>> means{{0.4, -0.2, 1.9}, {0.6, 0.0, 2.6}, {0.3, 0.1, 2.2}};
  const std::vector<std::vector<double>> variances{
      {0.2, 0.1, 0.3}, {0.5, 0.2, 0.1}, {1.0, 2.0, 3.0}};
  MixtureScore score(problem);
  for (std::size_t t = 0; t < means.size(); ++t) {
    score.add(means[t], variances[t]);
  }
  double squares = 0.0;
  double log_likelihood = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    double mean = 0.0;
    double p = 0.0;
    for (std::size_t t = 0; t < 3; ++t) {
      const double m = 10.0 + 4.0 * means[t][i];
      mean += m / 3.0;
      p += density(problem.test_y[i], m, 16.0 * variances[t][i]) / 3.0;
    }
    squares += (problem.test_y[i] - mean) * (problem.test_y[i] - mean) / 3.0;
    log_likelihood += std::log(p) / 3.0;
  }
  EXPECT_TRUE(closeTo(score.score().rmse, std::sqrt(squares), 1e-13));
  EXPECT_TRUE(closeTo(score.score().log_likelihood, log_likelihood, 1e-13));
}

TEST(MixtureScore, OneVarianceForAllItemsIsTheSameAsOnePerItem) {
  const UciProblem problem = threeItems();
  const std::vector<double> means{0.4, -0.2, 1.9};
  MixtureScore shared(problem);
  MixtureScore separate(problem);
  shared.add(means, 0.7);
  separate.add(means, std::vector<double>(3, 0.7));
  EXPECT_EQ(shared.score().log_likelihood, separate.score().log_likelihood);
  EXPECT_EQ(shared.score().rmse, separate.score().rmse);
}

TEST(MixtureScore, DoesNotUnderflowFarFromAllComponents) {
  UciProblem problem;
  problem.test_y = {1000.0};
  MixtureScore score(problem);
  score.add(std::vector<double>{0.0}, 1.0);
  score.add(std::vector<double>{10.0}, 1.0);
  score.add(std::vector<double>{-10.0}, 1.0);
  // All of the density comes from the component at 10.
  const double expected =
      -0.5 * 990.0 * 990.0 - 0.5 * std::log(2.0 * std::numbers::pi) - std::log(3.0);
  EXPECT_TRUE(closeTo(score.score().log_likelihood, expected, 1e-14));
}

}  // namespace
}  // namespace dubito
