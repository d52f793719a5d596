// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/dropout_rate/rate_elbo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/labs/network/network_pass.h"
#include "tests/core/labs/dropout_rate/tiny_problem.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::allMasks;
using test::closeTo;
using test::tinyProblem;

constexpr std::uint64_t kSeed = 3;
const std::vector<double> kKeeps{0.05, 0.37, 0.5, 0.8, 0.99};

std::int64_t onesOf(const std::vector<double>& mask) {
  return std::ranges::count(mask, 1.0);
}

double probabilityOf(const std::vector<double>& mask, double keep) {
  double probability = 1.0;
  for (const double kept : mask) {
    probability *= kept > 0.0 ? keep : 1.0 - keep;
  }
  return probability;
}

UnitContributions tinyContributions() {
  const RateProblem problem = tinyProblem();
  return contributionsOf(problem, initialParameters(problem.shape, kSeed, 0));
}

TEST(RateElbo, MasksTheNetworkAsTheOtherLaboratoriesDo) {
  const RateProblem problem = tinyProblem();
  const std::vector<double> parameters = initialParameters(problem.shape, kSeed, 0);
  const UnitContributions contributions = contributionsOf(problem, parameters);
  std::vector<double> outputs(problem.x.size());
  for (const std::vector<double>& mask : allMasks(problem.units())) {
    const std::array<InputScale, 2> scales{InputScale{}, InputScale{.factors = mask}};
    networkOutputs(problem.shape, parameters, problem.x, outputs, scales);
    double squared_errors = 0.0;
    for (std::size_t n = 0; n < outputs.size(); ++n) {
      squared_errors += std::pow(problem.y[n] - outputs[n], 2);
    }
    double squares = 0.0;
    for (std::size_t j = 0; j < mask.size(); ++j) {
      squares += std::pow(parameters[j], 2) + mask[j] * std::pow(parameters[12 + j], 2);
    }
    const ElboTerms terms = maskedTerms(problem, contributions, mask, 0.3);
    EXPECT_TRUE(closeTo(terms.log_likelihood, -squared_errors / (2.0 * 0.49), 1e-12));
    EXPECT_TRUE(closeTo(terms.log_prior, -squares / (2.0 * 1.69), 1e-12));
    EXPECT_TRUE(closeTo(terms.entropy, -std::log(probabilityOf(mask, 0.3)), 1e-12));
  }
}

TEST(RateElbo, IsTheExpectationOverAllMasks) {
  const RateProblem problem = tinyProblem();
  const UnitContributions contributions = tinyContributions();
  for (const double keep : kKeeps) {
    ElboTerms expected;
    for (const std::vector<double>& mask : allMasks(problem.units())) {
      const double probability = probabilityOf(mask, keep);
      const ElboTerms terms = maskedTerms(problem, contributions, mask, keep);
      expected.log_likelihood += probability * terms.log_likelihood;
      expected.log_prior += probability * terms.log_prior;
      expected.entropy += probability * terms.entropy;
    }
    const ElboTerms terms = expectedTerms(problem, contributions, keep);
    EXPECT_TRUE(closeTo(terms.log_likelihood, expected.log_likelihood, 1e-12)) << keep;
    EXPECT_TRUE(closeTo(terms.log_prior, expected.log_prior, 1e-12)) << keep;
    EXPECT_TRUE(closeTo(terms.entropy, expected.entropy, 1e-12)) << keep;
  }
}

TEST(RateElbo, ScoreFunctionIsUnbiased) {
  const RateProblem problem = tinyProblem();
  const UnitContributions contributions = tinyContributions();
  for (const double keep : kKeeps) {
    double score = 0.0;
    double of_constant = 0.0;
    for (const std::vector<double>& mask : allMasks(problem.units())) {
      const double slope = maskScore(onesOf(mask), problem.units(), keep);
      const double weight = probabilityOf(mask, keep) * slope;
      score += weight * maskedTerms(problem, contributions, mask, keep).total();
      of_constant += weight;
    }
    const double exact = expectedRateGradient(problem, contributions, keep);
    EXPECT_TRUE(closeTo(score, exact, 1e-10)) << keep;
    // A baseline therefore adds no bias.
    EXPECT_NEAR(of_constant, 0.0, 1e-12) << keep;
  }
}

TEST(RateElbo, GradientIsThatOfFiniteDifferences) {
  const RateProblem problem = tinyProblem();
  const UnitContributions contributions = tinyContributions();
  constexpr double kStep = 1e-5;
  for (const double keep : kKeeps) {
    const double difference = (expectedTerms(problem, contributions, keep + kStep).total() -
                               expectedTerms(problem, contributions, keep - kStep).total()) /
                              (2.0 * kStep);
    EXPECT_NEAR(expectedRateGradient(problem, contributions, keep), difference, 1e-4) << keep;
    // The mean network has no variance, no prior and no entropy.
    const auto error = [&](double p) {
      double sum = 0.0;
      for (std::size_t n = 0; n < problem.x.size(); ++n) {
        double output = contributions.bias;
        for (std::size_t j = 0; j < 6; ++j) {
          output += p * contributions.values[6 * n + j];
        }
        sum -= 0.5 * std::pow(problem.y[n] - output, 2) / 0.49;
      }
      return sum;
    };
    EXPECT_NEAR(meanNetworkGradient(problem, contributions, keep),
                (error(keep + kStep) - error(keep - kStep)) / (2.0 * kStep), 1e-7)
        << keep;
  }
}

TEST(RateElbo, AtTheBoundariesOnlyOneMaskIsLeft) {
  const RateProblem problem = tinyProblem();
  const UnitContributions contributions = tinyContributions();
  for (const double keep : {0.0, 1.0}) {
    const std::vector<double> mask(6, keep);
    const ElboTerms drawn = maskedTerms(problem, contributions, mask, keep);
    const ElboTerms expected = expectedTerms(problem, contributions, keep);
    EXPECT_EQ(drawn.entropy, 0.0);
    EXPECT_EQ(expected.entropy, 0.0);
    EXPECT_TRUE(closeTo(drawn.total(), expected.total(), 1e-14));
    EXPECT_EQ(maskScore(onesOf(mask), 6, keep), 0.0);
  }
}

}  // namespace
}  // namespace dubito
