// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/labs/sampling/bayes_by_backprop.h"
#include "core/labs/sampling/graves.h"
#include "tests/core/labs/sampling/linear_model.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;

std::vector<double> flattened(const std::vector<std::vector<double>>& rows) {
  std::vector<double> result;
  for (const auto& row : rows) {
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

void expectClose(const std::vector<double>& actual, const std::vector<double>& expected,
                 double relative) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t d = 0; d < actual.size(); ++d) {
    EXPECT_TRUE(closeTo(actual[d], expected[d], relative)) << d;
  }
}

TEST(Softplus, HasAnInverse) {
  for (const double rho : {-30.0, -2.0, 0.0, 3.0, 40.0}) {
    EXPECT_TRUE(closeTo(inverseSoftplus(softplus(rho)), rho, 1e-12, 1e-12)) << rho;
  }
  EXPECT_DOUBLE_EQ(softplus(0.0), std::log(2.0));
  EXPECT_EQ(softplus(1e4), 1e4);
}

TEST(BayesByBackprop, GradientsMatchTheReferenceVector) {
  const nlohmann::json vectors = test::readVectors("labs").at("bbb");
  const std::vector<double> noise =
      flattened(vectors.at("noise").get<std::vector<std::vector<double>>>());
  for (const int threads : {1, 4}) {
    RunContext context;
    context.threads = threads;
    const BbbGradient result =
        bbbGradient(*test::linearModelOfVectors(), vectors.at("mu").get<std::vector<double>>(),
                    vectors.at("rho").get<std::vector<double>>(), noise, context);
    EXPECT_TRUE(closeTo(result.loss, vectors.at("loss"), 1e-9));
    expectClose(result.mean, vectors.at("grad_mu"), 1e-9);
    expectClose(result.rho, vectors.at("grad_rho"), 1e-9);
  }
}

TEST(BayesByBackprop, EndsAtTheMeanFieldSolution) {
  const MeanFieldOptions options{.steps = 20000, .draws = 8, .learning_rate = 0.05};
  BayesByBackprop inference(test::linearModelOfVectors(), options, {0.0, 0.0, 0.0}, 1);
  EXPECT_TRUE(std::isnan(inference.loss()));
  RunContext context;
  while (inference.done() < inference.total()) {
    inference.step(context);
  }
  // KL(q || p) is smallest at the exact mean, with the variances of one weight given the others.
  const test::Gaussian exact = test::exactPosteriorOfVectors();
  const auto precision = test::inverseOf(exact.covariance);
  const MeanField result = inference.result();
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_NEAR(result.mean[d], exact.mean[d], 0.01) << d;
    EXPECT_NEAR(result.std[d] * std::sqrt(precision[d][d]), 1.0, 0.02) << d;
  }
  const double mean_before = result.mean[0];
  inference.step(context);
  EXPECT_EQ(inference.done(), 20000);
  EXPECT_EQ(inference.result().mean[0], mean_before);
}

TEST(Graves, GradientsMatchTheReferenceVector) {
  const nlohmann::json vectors = test::readVectors("labs");
  const nlohmann::json bbb = vectors.at("bbb");
  std::vector<double> std;
  for (const double rho : bbb.at("rho")) {
    std.push_back(softplus(rho));
  }
  for (const int threads : {1, 4}) {
    RunContext context;
    context.threads = threads;
    const GravesGradient result =
        gravesGradient(*test::linearModelOfVectors(), bbb.at("mu").get<std::vector<double>>(), std,
                       flattened(bbb.at("noise").get<std::vector<std::vector<double>>>()), context);
    expectClose(result.variance, vectors.at("graves").at("sigma2_gradient_per_item"), 1e-9);
  }
}

TEST(Graves, TheLossIsThatOfTheErrorsAndTheDivergenceFromThePrior) {
  const auto model = test::linearModelOfVectors();
  const MeanFieldOptions options{.draws = 8, .initial_std = 0.5};
  GravesInference inference(model, options, {0.3, -0.2, 0.1}, 7);
  const MeanField field = inference.result();
  std::vector<double> noise(8 * 3);
  KeyedRandom(7, LabSite::kWeightNoise).normals(0, noise);
  RunContext context;
  double expected = gravesGradient(*model, field.mean, field.std, noise, context).loss;
  for (std::size_t d = 0; d < 3; ++d) {
    const double prior_std = 1.0 / std::sqrt(model->priorPrecision()[d]);
    const double ratio = field.std[d] / prior_std;
    const double distance = field.mean[d] / prior_std;
    expected += 0.5 * (ratio * ratio + distance * distance - 1.0) - std::log(ratio);
  }
  inference.step(context);
  EXPECT_TRUE(closeTo(inference.loss(), expected, 1e-12)) << inference.loss() << " " << expected;
}

TEST(Graves, EndsAtItsFixedPoint) {
  const auto model = test::linearModelOfVectors();
  const MeanFieldOptions options{.steps = 4000, .draws = 8, .learning_rate = 0.05};
  GravesInference inference(model, options, {0.0, 0.0, 0.0}, 1);
  RunContext context;
  while (inference.done() < inference.total()) {
    inference.step(context);
  }
  const MeanField result = inference.result();
  const test::Gaussian exact = test::exactPosteriorOfVectors();
  std::vector<double> noise(3 * 20000);
  KeyedRandom(5, LabSite::kFunctionDraw).normals(0, noise);
  const GravesGradient gradient = gravesGradient(*model, result.mean, result.std, noise, context);
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_NEAR(result.mean[d], exact.mean[d], 0.01) << d;
    // d/d variance (error loss + KL) = gradient + (prior precision - 1/variance)/2 = 0.
    const double precision = model->priorPrecision()[d] + 2.0 * gradient.variance[d];
    EXPECT_NEAR(result.std[d] * std::sqrt(precision), 1.0, 0.03) << d;
  }
}

TEST(MeanField, InferenceDoesNotDependOnThreads) {
  const auto model = test::linearModelOfVectors();
  const auto after = [&](int threads) {
    RunContext context;
    context.threads = threads;
    BayesByBackprop backprop(model, {.steps = 50}, {0.0, 0.0, 0.0}, 7);
    GravesInference graves(model, {.steps = 50}, {0.0, 0.0, 0.0}, 7);
    for (int i = 0; i < 50; ++i) {
      backprop.step(context);
      graves.step(context);
    }
    std::vector<double> result = backprop.result().mean;
    const MeanField field = graves.result();
    result.insert(result.end(), field.std.begin(), field.std.end());
    return result;
  };
  EXPECT_EQ(after(1), after(4));
}

}  // namespace
}  // namespace dubito
