// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;
using Numbers = std::vector<double>;

RegressionPrediction gaussians(const Numbers& mean, const Numbers& std) {
  RegressionPrediction prediction;
  prediction.mean = mean;
  prediction.epistemic_variance.assign(mean.size(), 0.0);
  for (const double value : std) {
    prediction.noise_variance.push_back(value * value);
  }
  return prediction;
}

Array<double> arrayOf(const json& rows) {
  std::vector<double> values;
  for (const json& row : rows) {
    const auto numbers = row.get<Numbers>();
    values.insert(values.end(), numbers.begin(), numbers.end());
  }
  const auto count = static_cast<std::int64_t>(rows.size());
  const auto width = static_cast<std::int64_t>(rows[0].size());
  return Array<double>::fromVector({count, width}, std::move(values));
}

/// The integral of f over [low, high] by the midpoint rule.
double integral(const std::function<double(double)>& f, double low, double high) {
  constexpr int kSteps = 100000;
  const double step = (high - low) / kSteps;
  double sum = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    sum += f(low + (i + 0.5) * step) * step;
  }
  return sum;
}

/// CRPS by its definition, the integral of (F(z) - [z >= y])^2, separately on both sides of y.
double crpsByIntegral(const std::function<double(double)>& below, double y, double low,
                      double high) {
  return integral([&](double z) { return below(z) * below(z); }, low, y) +
         integral([&](double z) { return (1.0 - below(z)) * (1.0 - below(z)); }, y, high);
}

double normalBelow(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

TEST(RegressionScores, ReferenceGaussians) {
  const json vectors = test::readVectors("labs2").at("regression_metrics");
  const auto y = vectors.at("y").get<Numbers>();
  const RegressionScores scores = scoreRegression(
      gaussians(vectors.at("mean").get<Numbers>(), vectors.at("std").get<Numbers>()), y);
  const auto pit = vectors.at("pit").get<Numbers>();
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_TRUE(closeTo(scores.pit[i], pit[i], 1e-9, 1e-15)) << i;
  }
  EXPECT_TRUE(closeTo(-scores.log_likelihood, vectors.at("nll").get<double>(), 1e-9));
  const auto levels = vectors.at("levels").get<Numbers>();
  EXPECT_EQ(centralCoverage(scores.pit, levels),
            vectors.at("observed_central_coverage").get<Numbers>());
}

TEST(RegressionScores, ReferenceDraws) {
  const json vectors = test::readVectors("labs").at("regression");
  const auto y = vectors.at("y").get<Numbers>();
  const double noise = 1.0 / vectors.at("tau").get<double>();
  const RegressionPrediction mixture = predictionOfDraws(arrayOf(vectors.at("draws")), {}, noise);
  const auto mean = vectors.at("mean").get<Numbers>();
  const auto variance = vectors.at("variance").get<Numbers>();
  const auto log_likelihood = vectors.at("log_likelihood").get<Numbers>();
  const auto crps_gaussian = vectors.at("crps_gaussian").get<Numbers>();
  const auto crps_ensemble = vectors.at("crps_ensemble").get<Numbers>();
  const RegressionScores all = scoreRegression(mixture, y);
  EXPECT_TRUE(closeTo(all.rmse, vectors.at("rmse").get<double>(), 1e-9));
  EXPECT_TRUE(closeTo(all.log_likelihood, vectors.at("log_likelihood_mean").get<double>(), 1e-9));
  RegressionPrediction gaussian = mixture;
  gaussian.is_mixture = false;
  // Without noise, the mixture is the ensemble of the draws themselves.
  const RegressionPrediction ensemble = predictionOfDraws(arrayOf(vectors.at("draws")), {}, 0.0);
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_TRUE(closeTo(mixture.mean[i], mean[i], 1e-9, 1e-15));
    EXPECT_TRUE(closeTo(mixture.epistemic_variance[i] + noise, variance[i], 1e-9));
    const auto one = [&](const RegressionPrediction& prediction) {
      RegressionPrediction point;
      point.mean = {prediction.mean[i]};
      point.epistemic_variance = {prediction.epistemic_variance[i]};
      point.noise_variance = {prediction.noise_variance[i]};
      point.is_mixture = prediction.is_mixture;
      Numbers column;
      for (std::int64_t t = 0; t < prediction.draws.extent(0); ++t) {
        column.push_back(prediction.draws.row(t)[i]);
      }
      const auto count = static_cast<std::int64_t>(column.size());
      point.draws = Array<double>::fromVector({count, 1}, std::move(column));
      return scoreRegression(point, {&y[i], 1});
    };
    EXPECT_TRUE(closeTo(one(mixture).log_likelihood, log_likelihood[i], 1e-9));
    EXPECT_TRUE(closeTo(one(gaussian).crps, crps_gaussian[i], 1e-9));
    EXPECT_TRUE(closeTo(one(ensemble).crps, crps_ensemble[i], 1e-9));
  }
}

TEST(RegressionScores, CrpsIsTheIntegralOfItsDefinition) {
  const RegressionPrediction mixture =
      predictionOfDraws(Array<double>::fromVector({3, 1}, {-1.0, 0.4, 2.0}),
                        Array<double>::fromVector({3, 1}, {0.25, 1.0, 0.01}), 0.0);
  const auto below = [](double z) {
    return (normalBelow((z + 1.0) / 0.5) + normalBelow(z - 0.4) + normalBelow((z - 2.0) / 0.1)) /
           3.0;
  };
  for (const double y : {-3.0, 0.1, 2.05}) {
    EXPECT_NEAR(scoreRegression(mixture, {&y, 1}).crps, crpsByIntegral(below, y, -15.0, 15.0),
                1e-6);
    EXPECT_NEAR(scoreRegression(mixture, {&y, 1}).pit[0], below(y), 1e-12);
  }
}

TEST(RegressionScores, CoverageCountsCentralIntervals) {
  const RegressionPrediction prediction = gaussians({0.0, 0.0, 0.0, 0.0}, {1.0, 1.0, 1.0, 1.0});
  const Numbers y{0.5, -1.0, 1.8, 3.0};
  EXPECT_EQ(scoreRegression(prediction, y).coverage, (Numbers{0.25, 0.5, 0.75}));
}

TEST(RegressionScores, APointMassHasNoDensity) {
  const Numbers y{1.0};
  EXPECT_EQ(scoreRegression(gaussians({0.0}, {0.0}), y).log_likelihood,
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(scoreRegression(gaussians({0.0}, {0.0}), y).crps, 1.0);
  EXPECT_THROW((void)scoreRegression(gaussians({0.0, 1.0}, {1.0, 1.0}), y), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
