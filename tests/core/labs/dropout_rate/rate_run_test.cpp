// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/dropout_rate/rate_run.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/labs/network/network_pass.h"
#include "core/labs/random/keyed_random.h"
#include "tests/core/labs/dropout_rate/tiny_problem.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

constexpr std::uint64_t kSeed = 7;
constexpr std::uint64_t kStream = 4;

RateRunSettings settingsOf(std::optional<RateEstimator> estimator) {
  RateRunSettings settings;
  settings.start = 0.6;
  settings.estimator = estimator;
  settings.rate_step = 1e-3;
  settings.steps = 100;
  settings.learning_rate = 1e-3;
  return settings;
}

/// Runs `steps` steps and returns the run.
RateRun runOf(const RateRunSettings& settings, std::int64_t steps) {
  RateRun run(std::make_shared<const RateProblem>(test::tinyProblem()), settings, kSeed, kStream);
  EXPECT_TRUE(run.advance(steps, RunContext()));
  return run;
}

std::vector<double> uniformsOf(std::uint32_t draw) {
  std::vector<double> uniforms(6);
  KeyedRandom(kSeed, LabSite::kDropoutMask, kStream).uniforms(draw, uniforms);
  return uniforms;
}

std::vector<double> hardMask(std::uint32_t draw, double keep) {
  std::vector<double> mask = uniformsOf(draw);
  for (double& value : mask) {
    value = value < keep ? 1.0 : 0.0;
  }
  return mask;
}

/// The likelihood of a mask with any values, and the prior in its expectation over the masks.
double plainObjective(const RateProblem& problem, const std::vector<double>& parameters,
                      const std::vector<double>& mask, double keep) {
  std::vector<double> outputs(problem.x.size());
  const std::array<InputScale, 2> scales{InputScale{}, InputScale{.factors = mask}};
  networkOutputs(problem.shape, parameters, problem.x, outputs, scales);
  double value = 0.0;
  for (std::size_t n = 0; n < outputs.size(); ++n) {
    value -= 0.5 * std::pow((problem.y[n] - outputs[n]) / problem.noise_std, 2);
  }
  for (std::size_t j = 0; j < mask.size(); ++j) {
    value -= 0.5 * (std::pow(parameters[j], 2) + keep * std::pow(parameters[12 + j], 2)) /
             std::pow(problem.prior_std, 2);
  }
  return value;
}

TEST(RateRun, StepOfTheWeightsFollowsTheGradientOfTheBound) {
  const RateProblem problem = test::tinyProblem();
  const std::vector<double> start = initialParameters(problem.shape, kSeed, 0);
  const std::vector<double> mask = hardMask(0, 0.6);
  const RateRun run = runOf(settingsOf(RateEstimator::kScore), 1);
  constexpr double kStep = 1e-6;
  for (std::size_t i = 0; i < start.size(); ++i) {
    std::vector<double> above = start;
    std::vector<double> below = start;
    above[i] += kStep;
    below[i] -= kStep;
    const double slope =
        (plainObjective(problem, above, mask, 0.6) - plainObjective(problem, below, mask, 0.6)) /
        (2.0 * kStep);
    EXPECT_NEAR((run.parameters()[i] - start[i]) / 1e-3, slope, 1e-6) << i;
  }
}

TEST(RateRun, ScoreStepIsThatOfThePlainFormula) {
  const RateProblem problem = test::tinyProblem();
  const UnitContributions contributions =
      contributionsOf(problem, initialParameters(problem.shape, kSeed, 0));
  RateRunSettings settings = settingsOf(RateEstimator::kScore);
  settings.draws = 3;
  double gradient = 0.0;
  double elbo = 0.0;
  for (std::uint32_t draw = 0; draw < 3; ++draw) {
    const std::vector<double> mask = hardMask(draw, 0.6);
    double score = 0.0;
    for (const double kept : mask) {
      score += kept > 0.0 ? 1.0 / 0.6 : -1.0 / 0.4;
    }
    const double total = maskedTerms(problem, contributions, mask, 0.6).total();
    gradient += score * total / 3.0;
    elbo += total / 3.0;
  }
  RateRun run = runOf(settings, 1);
  EXPECT_TRUE(closeTo(run.keep(), 0.6 + 1e-3 * gradient, 1e-12));
  EXPECT_TRUE(closeTo(run.elboTrace().y.front(), elbo, 1e-12));
  EXPECT_EQ(run.keepTrace().y.front(), 0.6);
  // With a baseline, the first step only learns what an ELBO is like.
  settings.baseline = true;
  EXPECT_EQ(runOf(settings, 1).keep(), 0.6);
  EXPECT_NE(runOf(settings, 2).keep(), 0.6);
}

TEST(RateRun, ConcreteStepIsTheGradientThroughTheSameRelaxedMasks) {
  const RateProblem problem = test::tinyProblem();
  const std::vector<double> start = initialParameters(problem.shape, kSeed, 0);
  const std::vector<double> uniforms = uniformsOf(0);
  const auto objective = [&](double logit) {
    const double keep = 1.0 / (1.0 + std::exp(-logit));
    std::vector<double> mask;
    for (const double u : uniforms) {
      // z, near 1 if the unit is dropped, with drop rate 1 - p (theory, section 4).
      mask.push_back(1.0 - 1.0 / (1.0 + std::exp(-(-logit + std::log(u) - std::log1p(-u)) / 0.1)));
    }
    return plainObjective(problem, start, mask, keep) + 6.0 * maskEntropy(keep);
  };
  const double logit = std::log(0.6 / 0.4);
  constexpr double kStep = 1e-5;
  const double slope = (objective(logit + kStep) - objective(logit - kStep)) / (2.0 * kStep);
  const double keep = runOf(settingsOf(RateEstimator::kConcrete), 1).keep();
  EXPECT_NEAR((std::log(keep / (1.0 - keep)) - logit) / (16.0 * 1e-3), slope, 1e-6);
}

TEST(RateRun, ExactAndCoordinateStepsUseTheNewWeights) {
  const RateProblem problem = test::tinyProblem();
  const RateRun exact = runOf(settingsOf(RateEstimator::kExact), 1);
  const UnitContributions contributions = contributionsOf(problem, exact.parameters());
  EXPECT_TRUE(
      closeTo(exact.keep(), 0.6 + 1e-3 * expectedRateGradient(problem, contributions, 0.6), 1e-14));
  const RateRun coordinate = runOf(settingsOf(RateEstimator::kCoordinate), 1);
  EXPECT_EQ(coordinate.parameters(), exact.parameters());
  EXPECT_TRUE(closeTo(coordinate.keep(),
                      0.6 + 1e-3 * meanNetworkGradient(problem, contributions, 0.6), 1e-14));
}

TEST(RateRun, ScoreFunctionStaysAtABoundaryAndMarginKeepsItAway) {
  RateRunSettings settings = settingsOf(RateEstimator::kScore);
  settings.rate_step = 10.0;
  RateRun run = runOf(settings, 3);
  const double boundary = run.keep();
  EXPECT_TRUE(boundary == 0.0 || boundary == 1.0) << boundary;
  EXPECT_TRUE(run.advance(50, RunContext()));
  EXPECT_EQ(run.keep(), boundary);
  settings.margin = 0.05;
  RateRun kept = runOf(settings, 100);
  for (const double keep : kept.keepTrace().y) {
    EXPECT_GE(keep, 0.05);
    EXPECT_LE(keep, 0.95);
  }
}

TEST(RateRun, DivergenceNamesTheOption) {
  RateRunSettings settings = settingsOf({});
  settings.learning_rate = 1e6;
  RateRun run(std::make_shared<const RateProblem>(test::tinyProblem()), settings, kSeed, kStream);
  const Status status = run.advance(100, RunContext());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(status.error().message.find("lower the learning rate"), std::string::npos)
      << status.error().message;
}

TEST(RateRun, TailMeanIsThatOfTheLastFifth) {
  RateRunSettings settings = settingsOf({});
  EXPECT_TRUE(std::isnan(runOf(settings, 80).tailMean()));
  const RateRun run = runOf(settings, 100);
  const std::vector<double> elbos = run.elboTrace().y;
  double sum = 0.0;
  for (std::size_t i = 80; i < 100; ++i) {
    sum += elbos[i] / 20.0;
  }
  EXPECT_TRUE(closeTo(run.tailMean(), sum, 1e-12));
}

TEST(RateRun, CancelsBetweenSteps) {
  RateRun run(std::make_shared<const RateProblem>(test::tinyProblem()), settingsOf({}), kSeed,
              kStream);
  RunContext context;
  context.control()->requestCancel();
  const Status status = run.advance(10, context);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
