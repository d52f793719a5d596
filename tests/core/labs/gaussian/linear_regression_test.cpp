// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/linear_regression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/labs/gaussian/gp_posterior.h"
#include "core/labs/gaussian/gp_search.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;
using Kind = FeatureBasis::Kind;
using Numbers = std::vector<double>;

struct Points {
  Points() {
    const nlohmann::json vectors = test::readVectors("regression");
    x = vectors.at("x").get<Numbers>();
    y = vectors.at("y").get<Numbers>();
    x_test = vectors.at("x_test").get<Numbers>();
  }
  [[nodiscard]] Interval range() const {
    return {*std::ranges::min_element(x), *std::ranges::max_element(x)};
  }
  Numbers x;
  Numbers y;
  Numbers x_test;
};

TEST(LinearRegression, Vectors) {
  const Points points;
  const nlohmann::json expected = test::readVectors("regression").at("blr");
  const double noise = expected.at("noise");
  const FeatureBasis basis(Kind::kPowers, expected.at("degree"), points.range());
  const auto regression = LinearRegression::decompose(basis.features(points.x), points.y);
  ASSERT_TRUE(regression);
  const LinearPrediction prediction =
      regression->predict(basis.features(points.x_test), expected.at("prior_std"), noise);
  for (std::size_t i = 0; i < points.x_test.size(); ++i) {
    EXPECT_TRUE(closeTo(prediction.mean[i], expected.at("mean").at(i), 1e-9, 1e-11)) << i;
    EXPECT_TRUE(
        closeTo(prediction.variance[i] + noise * noise, expected.at("variance").at(i), 1e-9))
        << i;
  }
}

// Weights N(0, s^2) of the features 1 and x are the kernel s^2 (1 + x z).
TEST(LinearRegression, IsAGaussianProcessWithALinearKernel) {
  const Points points;
  constexpr double kPrior = 0.7;
  constexpr double kNoise = 0.3;
  const RunContext context;
  const FeatureBasis basis(Kind::kPowers, 1, points.range());
  const auto regression = LinearRegression::decompose(basis.features(points.x), points.y);
  const Kernel kernel = Kernel::constant(kPrior * kPrior) * Kernel::base("linear", std::array{1.0});
  const auto evidence = gpEvidence(kernel, kNoise * kNoise, points.x, points.y, context);
  const auto posterior = GpPosterior::fit(kernel, kNoise * kNoise, points.x, points.y, context);
  ASSERT_TRUE(regression && evidence && posterior);
  const LinearEvidence own = regression->evidence(kPrior, kNoise);
  EXPECT_TRUE(closeTo(own.log_evidence, evidence->log_evidence, 1e-11));
  // With respect to standard deviations here, to variances there.
  EXPECT_TRUE(closeTo(own.gradient_log_prior_std, 2.0 * evidence->gradient[0], 1e-9));
  EXPECT_TRUE(closeTo(own.gradient_log_noise_std, 2.0 * evidence->gradient[2], 1e-9));
  const auto expected = posterior->predict(points.x_test, 0, 0, context);
  const LinearPrediction prediction =
      regression->predict(basis.features(points.x_test), kPrior, kNoise);
  for (std::size_t i = 0; i < points.x_test.size(); ++i) {
    EXPECT_TRUE(closeTo(prediction.mean[i], expected->mean[i], 1e-9, 1e-12));
    EXPECT_TRUE(closeTo(prediction.variance[i], expected->variance[i], 1e-9, 1e-12));
  }
}

TEST(LinearRegression, OnePointByHand) {
  const auto regression =
      LinearRegression::decompose(Array<double>::fromVector({1, 1}, {2.0}), Numbers{3.0});
  ASSERT_TRUE(regression);
  const auto prediction = regression->predict(Array<double>::fromVector({1, 1}, {1.0}), 0.5, 2.0);
  // Precision 4 / 4 + 1 / 0.25 = 5, mean 2 * 3 / 4 / 5.
  EXPECT_NEAR(prediction.mean[0], 0.3, 1e-15);
  EXPECT_NEAR(prediction.variance[0], 0.2, 1e-15);
  EXPECT_NEAR(regression->evidence(0.5, 2.0).effective_weights, 0.2, 1e-15);
}

TEST(LinearRegression, WeightsGiveThePredictionsAndTheDraws) {
  const auto features = Array<double>::fromVector({3, 2}, {1.0, -0.5, 1.0, 0.2, 1.0, 0.9});
  const auto regression = LinearRegression::decompose(features, Numbers{0.1, 0.4, 0.3});
  ASSERT_TRUE(regression);
  const LinearWeights weights = regression->weights(0.7, 0.2);
  const LinearPrediction prediction = regression->predict(features, 0.7, 0.2);
  const Array<double> drawn = regression->drawWeights(0.7, 0.2, 5, 3);
  const Array<double> functions = regression->drawFunctions(features, 0.7, 0.2, 5, 3);
  for (std::int64_t i = 0; i < 3; ++i) {
    const double x = features.row(i)[1];
    const auto n = static_cast<std::size_t>(i);
    EXPECT_NEAR(prediction.mean[n], weights.mean[0] + weights.mean[1] * x, 1e-14);
    const auto covariance = weights.covariance.values();
    EXPECT_NEAR(prediction.variance[n],
                covariance[0] + (covariance[1] + covariance[2]) * x + covariance[3] * x * x, 1e-14);
    for (std::int64_t t = 0; t < 5; ++t) {
      EXPECT_NEAR(functions.row(t)[n], drawn.row(t)[0] + drawn.row(t)[1] * x, 1e-14);
    }
  }
}

TEST(LinearRegression, GradientIsThatOfCentralDifferences) {
  constexpr double kStep = 1e-5;
  const Points points;
  // More weights than points, too.
  for (const auto& [kind, size] : {std::pair(Kind::kPolynomial, 6), std::pair(Kind::kRadial, 12),
                                   std::pair(Kind::kFourier, 20)}) {
    const FeatureBasis basis(kind, size, points.range());
    const auto regression = LinearRegression::decompose(basis.features(points.x), points.y);
    ASSERT_TRUE(regression);
    const LinearEvidence own = regression->evidence(0.8, 0.2);
    const auto at = [&](double prior_change, double noise_change) {
      return regression->evidence(0.8 * std::exp(prior_change), 0.2 * std::exp(noise_change))
          .log_evidence;
    };
    EXPECT_TRUE(closeTo(own.gradient_log_prior_std, (at(kStep, 0) - at(-kStep, 0)) / (2 * kStep),
                        1e-6, 1e-7));
    EXPECT_TRUE(closeTo(own.gradient_log_noise_std, (at(0, kStep) - at(0, -kStep)) / (2 * kStep),
                        1e-6, 1e-7));
    EXPECT_GT(own.effective_weights, 0.0);
    EXPECT_LE(own.effective_weights,
              static_cast<double>(std::min<std::int64_t>(regression->weightCount(), 25)));
  }
}

TEST(LinearRegression, VarianceIsNeverAboveThePrior) {
  const Points points;
  const FeatureBasis basis(Kind::kFourier, 20, points.range());
  const auto regression = LinearRegression::decompose(basis.features(points.x), points.y);
  const auto prior = LinearRegression::decompose(basis.features({}), {});
  ASSERT_TRUE(regression && prior);
  const Array<double> features = basis.features(points.x_test);
  const auto after = regression->predict(features, 0.8, 0.2);
  const auto before = prior->predict(features, 0.8, 0.2);
  for (std::size_t i = 0; i < points.x_test.size(); ++i) {
    EXPECT_NEAR(before.variance[i], 0.64 * 21.0, 1e-12);
    EXPECT_LT(after.variance[i], before.variance[i]);
    EXPECT_GT(after.variance[i], 0.0);
  }
}

TEST(LinearRegression, DrawsHaveMeanAndVarianceOfThePosterior) {
  constexpr std::int64_t kDraws = 20000;
  const Points points;
  const FeatureBasis basis(Kind::kPolynomial, 5, points.range());
  const auto regression = LinearRegression::decompose(basis.features(points.x), points.y);
  const Array<double> features = basis.features(points.x_test);
  const auto prediction = regression->predict(features, 0.8, 0.2);
  const Array<double> draws = regression->drawFunctions(features, 0.8, 0.2, kDraws, 4);
  for (std::size_t i = 0; i < points.x_test.size(); ++i) {
    double mean = 0.0;
    double square = 0.0;
    for (std::int64_t t = 0; t < kDraws; ++t) {
      const double deviation = draws.row(t)[i] - prediction.mean[i];
      mean += deviation / kDraws;
      square += deviation * deviation / kDraws;
    }
    EXPECT_NEAR(mean, 0.0, 5.0 * std::sqrt(prediction.variance[i] / kDraws));
    EXPECT_NEAR(square / prediction.variance[i], 1.0, 5.0 * std::sqrt(2.0 / kDraws));
  }
  // A draw is one function, whatever the inputs.
  const Array<double> single =
      regression->drawFunctions(basis.features(Numbers{points.x_test[3]}), 0.8, 0.2, 2, 4);
  EXPECT_NEAR(single.row(1)[0], draws.row(1)[3], 1e-12);
}

TEST(LinearRegression, RefusesFeaturesThatOverflow) {
  const auto regression = LinearRegression::decompose(
      Array<double>::fromVector({1, 1}, {std::numeric_limits<double>::infinity()}), Numbers{1.0});
  ASSERT_FALSE(regression);
  EXPECT_NE(regression.error().message.find("; use fewer features"), std::string::npos);
}

TEST(FeatureBasis, LegendrePolynomialsAreOrthonormal) {
  const FeatureBasis basis(Kind::kPolynomial, 4, {2.0, 6.0});
  constexpr std::int64_t kPoints = 20001;
  Numbers x(kPoints);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 2.0 + 4.0 * static_cast<double>(i) / (kPoints - 1.0);
  }
  const Array<double> features = basis.features(x);
  for (std::size_t a = 0; a < 5; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double mean = 0.0;
      for (std::int64_t i = 0; i < kPoints; ++i) {
        const double weight = i == 0 || i == kPoints - 1 ? 0.5 : 1.0;
        mean += weight * features.row(i)[a] * features.row(i)[b] / (kPoints - 1.0);
      }
      EXPECT_NEAR(mean, a == b ? 1.0 : 0.0, 1e-6);
    }
  }
  // sqrt(5) (3 u^2 - 1) / 2 at u = 0.5.
  EXPECT_NEAR(basis.features(Numbers{5.0}).row(0)[2], std::sqrt(5.0) * -0.125, 1e-15);
}

TEST(FeatureBasis, RadialAndFourierByHand) {
  const auto radial = FeatureBasis(Kind::kRadial, 3, {0.0, 2.0}).features(Numbers{1.5});
  EXPECT_EQ(radial.shape(), (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(radial.row(0)[0], 1.0);
  EXPECT_NEAR(radial.row(0)[1], std::exp(-0.5 * 2.25), 1e-15);
  EXPECT_NEAR(radial.row(0)[2], std::exp(-0.5 * 0.25), 1e-15);
  const auto fourier = FeatureBasis(Kind::kFourier, 2, {0.0, 2.0}).features(Numbers{1.0});
  EXPECT_EQ(fourier.shape(), (std::vector<std::int64_t>{1, 5}));
  EXPECT_NEAR(fourier.row(0)[1], 0.0, 1e-15);
  EXPECT_NEAR(fourier.row(0)[2], 1.0, 1e-15);
  EXPECT_NEAR(fourier.row(0)[3], -1.0, 1e-15);
  EXPECT_EQ(FeatureBasis(Kind::kRadial, 1, {1.0, 1.0}).features(Numbers{1.0}).row(0)[1], 1.0);
}

}  // namespace
}  // namespace dubito
