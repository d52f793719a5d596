// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/honesty.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "core/measures/laplace_bridge.h"
#include "core/measures/special_functions.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using Row = std::vector<double>;

TEST(Honesty, LargestDifferenceIsTheLargest) {
  EXPECT_DOUBLE_EQ(largestDifference(Row{0.2, 0.5, 0.3}, Row{0.1, 0.8, 0.1}), 0.3);
  EXPECT_EQ(largestDifference(Row{1.0}, Row{1.0}), 0.0);
  EXPECT_TRUE(std::isnan(largestDifference(Row{0.5, std::nan("")}, Row{0.5, 0.5})));
  EXPECT_TRUE(std::isnan(largestDifference(Row{std::nan(""), 0.5}, Row{0.5, 0.25})));
  EXPECT_THROW(static_cast<void>(largestDifference(Row{1.0}, Row{0.5, 0.5})),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(largestDifference(Row{}, Row{})), std::invalid_argument);
}

/// The mean of log q - log r over draws, with both densities written out on the triangle.
struct Estimate {
  double mean = 0.0;
  double error = 0.0;
};
Estimate sampledDivergence(const Row& mean, const Row& root, const Row& log_alpha) {
  // Sigma = root root'; y = (z_1 - z_3, z_2 - z_3).
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const auto difference = [&](std::size_t k, std::size_t j) {
    return root[k * 3 + j] - root[6 + j];
  };
  double c[2][2] = {};
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t l = 0; l < 2; ++l) {
      for (std::size_t j = 0; j < 3; ++j) {
        c[k][l] += difference(k, j) * difference(l, j);
      }
    }
  }
  const double determinant = c[0][0] * c[1][1] - c[0][1] * c[1][0];
  const int draws = 200'000;
  double sum = 0.0;
  double squares = 0.0;
  for (int draw = 0; draw < draws; ++draw) {
    double noise[3] = {normal(random), normal(random), normal(random)};
    double d[2] = {};
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t j = 0; j < 3; ++j) {
        d[k] += difference(k, j) * noise[j];
      }
    }
    const double y[3] = {mean[0] - mean[2] + d[0], mean[1] - mean[2] + d[1], 0.0};
    const double log_sum = std::log(std::exp(y[0]) + std::exp(y[1]) + 1.0);
    const double square =
        (c[1][1] * d[0] * d[0] - 2.0 * c[0][1] * d[0] * d[1] + c[0][0] * d[1] * d[1]) / determinant;
    double log_q = -0.5 * square - std::log(2.0 * std::numbers::pi) - 0.5 * std::log(determinant);
    double log_r = 0.0;
    double precision = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double alpha = std::exp(log_alpha[k]);
      log_q -= y[k] - log_sum;
      log_r += (alpha - 1.0) * (y[k] - log_sum) - logGamma(alpha);
      precision += alpha;
    }
    log_r += logGamma(precision);
    sum += log_q - log_r;
    squares += (log_q - log_r) * (log_q - log_r);
  }
  const double average = sum / draws;
  return {average, std::sqrt((squares / draws - average * average) / draws)};
}

/// A Gaussian of three logits; `root` is one of its covariance: covariance = root root^T.
struct RandomGaussian {
  Row mean;
  Row root;
  Row covariance;
};

/// Entries of mean and root are normal with the given standard deviations.
RandomGaussian randomGaussian(std::mt19937_64& random, double mean_scale, double root_scale) {
  std::normal_distribution<double> normal;
  RandomGaussian made{Row(3), Row(9), Row(9, 0.0)};
  for (double& value : made.mean) {
    value = mean_scale * normal(random);
  }
  for (double& value : made.root) {
    value = root_scale * normal(random);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t l = 0; l < 3; ++l) {
      for (std::size_t j = 0; j < 3; ++j) {
        made.covariance[k * 3 + l] += made.root[k * 3 + j] * made.root[l * 3 + j];
      }
    }
  }
  return made;
}

TEST(Honesty, DivergenceAgreesWithDrawsFromTheGaussian) {
  std::mt19937_64 random(6);
  for (const double scale : {0.1, 0.5, 1.0, 4.0}) {
    const auto [mean, root, covariance] = randomGaussian(random, 1.0, scale);
    for (const BridgeVariant variant : {BridgeVariant::kCentred, BridgeVariant::kRaw}) {
      const Row log_alpha = bridgeLogAlpha(mean, sumsOfFull(covariance), variant);
      const auto divergence = densityDivergence(mean, covariance, log_alpha);
      ASSERT_TRUE(divergence.has_value());
      const Estimate sampled = sampledDivergence(mean, root, log_alpha);
      EXPECT_NEAR(*divergence, sampled.mean, 5.0 * sampled.error + 1e-6) << scale;
      EXPECT_GT(*divergence, 0.0);
    }
  }
}

/// The same integral with steps of a third of a logit over a square of 8.5 standard deviations.
double slowDivergence(const Row& mean, const Row& covariance, const Row& log_alpha) {
  const auto of = [&](std::size_t k, std::size_t l) {
    return covariance[k * 3 + l] - covariance[k * 3 + 2] - covariance[6 + l] + covariance[8];
  };
  const double a = std::sqrt(of(0, 0));
  const double b = of(0, 1) / a;
  const double c = std::sqrt(of(1, 1) - b * b);
  const double h = 1.0 / (3.0 * std::max({a + std::abs(b), c, 1.0}));
  double sum = 0.0;
  double weights = 0.0;
  for (double u = -8.5; u <= 8.5; u += h) {
    for (double v = -8.5; v <= 8.5; v += h) {
      const double y1 = mean[0] - mean[2] + a * u;
      const double y2 = mean[1] - mean[2] + b * u + c * v;
      const double top = std::max({y1, y2, 0.0});
      const double weight = std::exp(-0.5 * (u * u + v * v));
      sum += weight * (top + std::log(std::exp(y1 - top) + std::exp(y2 - top) + std::exp(-top)));
      weights += weight;
    }
  }
  const double log_sum = sum / weights;
  const Row alpha{std::exp(log_alpha[0]), std::exp(log_alpha[1]), std::exp(log_alpha[2])};
  double divergence = -1.0 - std::log(2.0 * std::numbers::pi) - std::log(a * c) -
                      logGamma(alpha[0] + alpha[1] + alpha[2]);
  for (std::size_t k = 0; k < 3; ++k) {
    divergence += logGamma(alpha[k]) - alpha[k] * (mean[k] - mean[2] - log_sum);
  }
  return divergence;
}

TEST(Honesty, TheDivergenceHasItsDigits) {
  std::mt19937_64 random(8);
  const Row log_alpha{0.3, -0.4, 0.1};
  for (const double scale : {0.05, 0.4, 1.0, 2.5, 6.0}) {
    for (int i = 0; i < 6; ++i) {
      const auto [mean, root, covariance] = randomGaussian(random, 3.0, scale);
      const auto divergence = densityDivergence(mean, covariance, log_alpha);
      ASSERT_TRUE(divergence.has_value());
      EXPECT_NEAR(*divergence, slowDivergence(mean, covariance, log_alpha), 1e-8) << scale;
    }
  }
}

// The narrower the Dirichlet the more its softmax looks Gaussian.
TEST(Honesty, TheBridgeIsCloseForNarrowDirichlets) {
  double before = 1.0;
  for (const double alpha : {3.0, 30.0, 300.0, 3000.0}) {
    const Row mean_alpha{alpha, 2.0 * alpha, 0.5 * alpha};
    const LogitGaussian gaussian = dirichletToLogitGaussian(mean_alpha);
    Row log_alpha(3);
    for (std::size_t k = 0; k < 3; ++k) {
      log_alpha[k] = std::log(mean_alpha[k]);
    }
    const auto divergence = densityDivergence(gaussian.mean, gaussian.covariance, log_alpha);
    ASSERT_TRUE(divergence.has_value());
    EXPECT_LT(*divergence, 0.2 * before);
    before = *divergence;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(Honesty, TheQuadratureResolvesWideGaussians) {
  // For a huge variance log sum exp z is the largest of three: 3 t / (2 sqrt(pi)) on average for
  // independent z_k ~ N(0, t^2).
  const double t = 60.0;
  const Row covariance{t * t, 0.0, 0.0, 0.0, t * t, 0.0, 0.0, 0.0, t * t};
  const double log_sum = 3.0 * t / (2.0 * std::sqrt(std::numbers::pi));
  // alpha = 1: the Dirichlet is flat, and the divergence is -1 - log(2 pi) - log(det C)/2 + log
  // B(1,1,1) + 3 E[lse] - sum of means.
  const auto divergence = densityDivergence(Row{0.0, 0.0, 0.0}, covariance, Row{0.0, 0.0, 0.0});
  ASSERT_TRUE(divergence.has_value());
  const double expected = -1.0 - std::log(2.0 * std::numbers::pi) -
                          0.5 * std::log(3.0 * t * t * t * t) - std::log(2.0) + 3.0 * log_sum;
  EXPECT_NEAR(*divergence, expected, 0.1);
}

TEST(Honesty, ThereIsNoDivergenceWithoutDensities) {
  const Row flat{0.0, 0.0, 0.0};
  EXPECT_FALSE(densityDivergence(flat, Row(9, 0.0), flat));
  EXPECT_FALSE(densityDivergence(flat, Row(9, 2.0), flat));
  const Row unit{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  EXPECT_TRUE(densityDivergence(flat, unit, flat));
  EXPECT_FALSE(densityDivergence(flat, unit, Row{80.0, 0.0, 0.0}));
  EXPECT_FALSE(densityDivergence(Row{std::nan(""), 0.0, 0.0}, unit, flat));
  EXPECT_THROW(static_cast<void>(densityDivergence(Row{0.0, 0.0}, unit, flat)),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
