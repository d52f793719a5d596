// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/network_regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "core/labs/random/keyed_random.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

RegressionProblem problemOf(std::size_t points) {
  RegressionProblem problem{std::vector<double>(points), std::vector<double>(points), 0.3};
  KeyedRandom(2, LabSite::kDataInputs).normals(0, problem.x);
  KeyedRandom(2, LabSite::kDataNoise).normals(0, problem.y);
  return problem;
}

double logNormal(double x, double mean, double variance) {
  return -0.5 * (x - mean) * (x - mean) / variance -
         0.5 * std::log(2.0 * std::numbers::pi * variance);
}

TEST(NetworkPosterior, IsTheSumOfLogDensities) {
  const RegressionProblem problem = problemOf(77);
  const NetworkShape shape{1, {6, 4}, 1, Activation::kTanh};
  const NetworkPrior prior{2.5, true};
  std::vector<double> q(static_cast<std::size_t>(shape.parameterCount()));
  KeyedRandom(2, LabSite::kInitialWeights).normals(0, q);
  std::vector<double> outputs(77);
  networkOutputs(shape, q, problem.x, outputs);
  double expected = 0.0;
  for (std::size_t n = 0; n < outputs.size(); ++n) {
    expected += logNormal(problem.y[n], outputs[n], 0.09);
  }
  for (std::int64_t i = 0; i < shape.parameterCount(); ++i) {
    // Weights of the layers with 6 and with 4 inputs.
    const bool second = i >= 12 && i < 36;
    const bool third = i >= 40 && i < 44;
    const double precision = 2.5 * (second ? 6.0 : third ? 4.0 : 1.0);
    expected += logNormal(q[static_cast<std::size_t>(i)], 0.0, 1.0 / precision);
  }
  EXPECT_TRUE(closeTo(NetworkPosterior(problem, shape, prior).evaluate(q, {}), expected, 1e-12));
}

TEST(NetworkPosterior, GradientAgreesWithDifferences) {
  const NetworkShape shape{1, {7}, 1, Activation::kTanh};
  const NetworkPosterior posterior(problemOf(40), shape, {0.5, true});
  std::vector<double> q(static_cast<std::size_t>(shape.parameterCount()));
  KeyedRandom(2, LabSite::kInitialWeights).normals(0, q);
  std::vector<double> gradient(q.size());
  EXPECT_EQ(posterior.evaluate(q, gradient), posterior.evaluate(q, {}));
  for (std::size_t i = 0; i < q.size(); ++i) {
    constexpr double kStep = 1e-4;
    const double at = q[i];
    q[i] = at + kStep;
    const double above = posterior.evaluate(q, {});
    q[i] = at - kStep;
    const double below = posterior.evaluate(q, {});
    q[i] = at;
    EXPECT_TRUE(closeTo(gradient[i], (above - below) / (2.0 * kStep), 1e-5, 1e-4));
  }
}

TEST(NetworkPosterior, ABatchOfAllItemsIsTheLikelihood) {
  const NetworkShape shape{1, {7}, 1, Activation::kRelu};
  const NetworkPosterior posterior(problemOf(30), shape);
  const std::vector<double> q = initialParameters(shape, 1, 0);
  std::vector<std::int64_t> items(30);
  std::iota(items.begin(), items.end(), 0);
  std::vector<double> gradient(q.size());
  std::vector<double> of_batch(q.size());
  EXPECT_EQ(posterior.logLikelihood(q, gradient), posterior.logLikelihood(q, items, 1.0, of_batch));
  EXPECT_EQ(gradient, of_batch);
  const double half = posterior.logLikelihood(q, std::span(items).first(15), 2.0, of_batch);
  const double rest = posterior.logLikelihood(q, std::span(items).last(15), 2.0, {});
  EXPECT_TRUE(closeTo(0.5 * (half + rest), posterior.logLikelihood(q, {}), 1e-12));
}

TEST(NetworkPosterior, WithoutPriorIsTheLikelihood) {
  const NetworkShape shape{1, {7}, 1, Activation::kTanh};
  const NetworkPosterior posterior(problemOf(30), shape, {0.0, false});
  const std::vector<double> q = initialParameters(shape, 1, 0);
  EXPECT_EQ(posterior.evaluate(q, {}), posterior.logLikelihood(q, {}));
  EXPECT_THROW(NetworkPosterior(problemOf(3), NetworkShape{2, {7}, 1, Activation::kTanh}),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
