// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/laplace_bridge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "core/measures/probit.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;
using Row = std::vector<double>;

constexpr BridgeVariant kAll[] = {BridgeVariant::kCentred, BridgeVariant::kConditioned,
                                  BridgeVariant::kNormalised, BridgeVariant::kRaw};

Row flattened(const nlohmann::json& matrix) {
  Row flat;
  for (const auto& row : matrix) {
    for (const auto& value : row) {
      flat.push_back(value.get<double>());
    }
  }
  return flat;
}

Row diagonalOf(const Row& covariance, std::size_t classes) {
  Row diagonal(classes);
  for (std::size_t k = 0; k < classes; ++k) {
    diagonal[k] = covariance[k * classes + k];
  }
  return diagonal;
}

void expectRow(const Row& actual, const Row& expected, const std::string& what,
               double absolute = 0.0) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t k = 0; k < actual.size(); ++k) {
    EXPECT_TRUE(closeTo(actual[k], expected[k], 1e-9, absolute)) << what << " of class " << k;
  }
}

TEST(LaplaceBridge, AgreesWithTheReference) {
  const nlohmann::json vectors = test::readVectors("bridge");
  ASSERT_FALSE(vectors.at("cases").empty());
  for (const nlohmann::json& item : vectors.at("cases")) {
    const Row mean = item.at("mu").get<Row>();
    const bool is_full = item.at("cov").is_array();
    const CovarianceSums sums = is_full ? sumsOfFull(flattened(item.at("cov")))
                                        : sumsOfDiagonal(item.at("cov_diag").get<Row>());
    for (const auto& [key, variant] : {std::pair{"bridge", BridgeVariant::kConditioned},
                                       {"bridge_norm", BridgeVariant::kNormalised},
                                       {"bridge_raw", BridgeVariant::kRaw}}) {
      if (!item.at(key).is_array()) {
        continue;
      }
      Row alpha = bridgeLogAlpha(mean, sums, variant);
      for (double& value : alpha) {
        value = std::exp(value);
      }
      expectRow(alpha, item.at(key).get<Row>(), key + std::to_string(mean.size()));
    }
    expectRow(probit(mean, sums.variance), item.at("probit").get<Row>(), "probit");
  }
}

// log alpha crosses zero, and reaches 1e7.
TEST(LaplaceBridge, AgreesWithTheReferenceInLogSpace) {
  const nlohmann::json vectors = test::readVectors("special");
  ASSERT_FALSE(vectors.at("bridge").empty());
  for (const nlohmann::json& item : vectors.at("bridge")) {
    const Row mean = item.at("mu").get<Row>();
    const bool is_full = item.at("cov").is_array();
    const Row covariance = is_full ? flattened(item.at("cov")) : Row{};
    const CovarianceSums diagonal = sumsOfDiagonal(is_full ? diagonalOf(covariance, mean.size())
                                                           : item.at("cov_diag").get<Row>());
    for (const auto& [key, variant] : {std::pair{"bridge", BridgeVariant::kConditioned},
                                       {"bridge_norm", BridgeVariant::kNormalised},
                                       {"bridge_raw", BridgeVariant::kRaw},
                                       {"bridge_centred", BridgeVariant::kCentred}}) {
      const std::string what = key + (" of " + std::to_string(mean.size()));
      if (is_full) {
        expectRow(bridgeLogAlpha(mean, sumsOfFull(covariance), variant),
                  item.at("log_alpha").at(key).get<Row>(), what, 1e-9);
      }
      expectRow(bridgeLogAlpha(mean, diagonal, variant),
                item.at("log_alpha_diagonal").at(key).get<Row>(), what + " diagonal", 1e-9);
    }
  }
}

TEST(LaplaceBridge, DirichletToGaussianAgreesWithTheReference) {
  const nlohmann::json cases = test::readVectors("bridge").at("dirichlet_to_gaussian");
  ASSERT_FALSE(cases.at("alpha").empty());
  for (std::size_t i = 0; i < cases.at("alpha").size(); ++i) {
    const LogitGaussian gaussian = dirichletToLogitGaussian(cases.at("alpha").at(i).get<Row>());
    expectRow(gaussian.mean, cases.at("mu").at(i).get<Row>(), "mean", 1e-12);
    expectRow(gaussian.covariance, flattened(cases.at("cov").at(i)), "covariance", 1e-12);
  }
}

TEST(LaplaceBridge, TheTwoMapsAreInverse) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-3.0, 3.0);
  for (int trial = 0; trial < 500; ++trial) {
    Row log_alpha(static_cast<std::size_t>(2 + trial % 12));
    Row alpha = log_alpha;
    for (std::size_t k = 0; k < alpha.size(); ++k) {
      log_alpha[k] = exponent(random);
      alpha[k] = std::exp(log_alpha[k]);
    }
    const LogitGaussian gaussian = dirichletToLogitGaussian(alpha);
    // The Gaussian is centred: no variant has anything to do, but for the one that rescales.
    for (const BridgeVariant variant :
         {BridgeVariant::kCentred, BridgeVariant::kConditioned, BridgeVariant::kRaw}) {
      expectRow(bridgeLogAlpha(gaussian.mean, sumsOfFull(gaussian.covariance), variant), log_alpha,
                std::string(bridgeVariantName(variant)), 1e-10);
    }
  }
}

/// A random covariance of full rank, and a mean.
LogitGaussian randomGaussian(std::size_t classes, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Row root(classes * classes);
  LogitGaussian gaussian{Row(classes), Row(classes * classes, 0.0)};
  for (double& value : root) {
    value = normal(random);
  }
  for (double& value : gaussian.mean) {
    value = 3.0 * normal(random);
  }
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t l = 0; l < classes; ++l) {
      for (std::size_t j = 0; j < classes; ++j) {
        gaussian.covariance[k * classes + l] += root[k * classes + j] * root[l * classes + j];
      }
    }
  }
  return gaussian;
}

// softmax does not see a constant in the logits, whether fixed or random.
TEST(LaplaceBridge, TheCentredFormDoesNotSeeWhatAllLogitsShare) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const auto classes = static_cast<std::size_t>(2 + trial % 7);
    LogitGaussian gaussian = randomGaussian(classes, random);
    const Row before =
        bridgeLogAlpha(gaussian.mean, sumsOfFull(gaussian.covariance), BridgeVariant::kCentred);
    for (double& value : gaussian.mean) {
      value += 12.5;
    }
    // z + c with c = sum_k w_k z_k + noise has Sigma + r 1' + 1 r' + s 11'; any r and s will do.
    for (std::size_t k = 0; k < classes; ++k) {
      for (std::size_t l = 0; l < classes; ++l) {
        gaussian.covariance[k * classes + l] +=
            0.3 * static_cast<double>(k + l) / static_cast<double>(classes) + 2.0;
      }
    }
    expectRow(
        bridgeLogAlpha(gaussian.mean, sumsOfFull(gaussian.covariance), BridgeVariant::kCentred),
        before, "shifted", 1e-9);
  }
}

// The conditioning would divide 0 by 0.
TEST(LaplaceBridge, ACovarianceWithoutCommonPartIsTakenAsItIs) {
  const Row mean{3.0, 1.0, -1.0};
  const Row covariance{2.0, -1.0, -1.0, -1.0, 2.0, -1.0, -1.0, -1.0, 2.0};
  const CovarianceSums sums = sumsOfFull(covariance);
  const Row raw = bridgeLogAlpha(mean, sums, BridgeVariant::kRaw);
  expectRow(bridgeLogAlpha(mean, sums, BridgeVariant::kConditioned), raw, "conditioned");
  expectRow(bridgeLogAlpha(mean, sums, BridgeVariant::kCentred), raw, "centred");
  // Rounded as by float32, the total is 1e-7 instead of 0.
  Row rounded = covariance;
  for (std::size_t i = 0; i < rounded.size(); ++i) {
    rounded[i] *= 1.0 + 6e-8 * static_cast<double>(i % 3);
  }
  CovarianceSums of_rounded = sumsOfFull(rounded);
  of_rounded.rounding = 0x1p-24;
  const Row conditioned = bridgeLogAlpha(mean, of_rounded, BridgeVariant::kConditioned);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(conditioned[k], raw[k], 1e-5);
  }
}

// For two independent logits both conditioned variances are v w / (v + w).
TEST(LaplaceBridge, ConditioningKeepsTheDigitsOfUnevenVariances) {
  const double wide = 1e6;
  const double narrow = 1e-8;
  const std::vector<double> log_alpha =
      bridgeLogAlpha(Row{0.0, 0.0}, sumsOfDiagonal(Row{wide, narrow}), BridgeVariant::kConditioned);
  // With e_k = 1: log(S / 4) - log variance, S = 2.
  const double expected = std::log(0.5) - std::log(wide * narrow / (wide + narrow));
  EXPECT_TRUE(closeTo(log_alpha[0], expected, 1e-13));
  EXPECT_TRUE(closeTo(log_alpha[1], expected, 1e-13));
}

TEST(LaplaceBridge, StaysFiniteWhateverTheGapsAndVariances) {
  for (const double gap : {0.0, 88.0, 500.0, 1e4}) {
    for (const double variance : {0.0, 1e-320, 1e-8, 1.0, 1e6}) {
      for (const std::size_t classes : {2U, 3U, 10U}) {
        Row mean(classes, 0.0);
        mean[0] = gap;
        const CovarianceSums sums = sumsOfDiagonal(Row(classes, variance));
        for (const BridgeVariant variant : kAll) {
          for (const double value : bridgeLogAlpha(mean, sums, variant)) {
            EXPECT_TRUE(std::isfinite(value))
                << bridgeVariantName(variant) << " gap " << gap << " variance " << variance;
          }
        }
      }
    }
  }
  // Nothing but a common part: rounding must not leave a variance below zero.
  const Row common(100, 0.7);
  for (const BridgeVariant variant : kAll) {
    for (const double value : bridgeLogAlpha(Row(10, 1.0), sumsOfFull(common), variant)) {
      EXPECT_TRUE(std::isfinite(value)) << bridgeVariantName(variant);
    }
  }
}

TEST(LaplaceBridge, NamesLeadBackToTheVariants) {
  for (const BridgeVariant variant : kAll) {
    EXPECT_EQ(bridgeVariantFromName(bridgeVariantName(variant)), variant);
  }
  EXPECT_EQ(bridgeVariantName(BridgeVariant::kConditioned), "bridge");
  EXPECT_FALSE(bridgeVariantFromName("probit"));
}

TEST(LaplaceBridge, HugeAlphasKeepTheirMeans) {
  const Row alpha = alphaFromLog(Row{1000.0, 1000.0 - std::log(2.0), -1e4});
  EXPECT_TRUE(closeTo(alpha[0] / alpha[1], 2.0, 1e-12));
  EXPECT_GT(alpha[2], 0.0);
  EXPECT_DOUBLE_EQ(alphaFromLog(Row{3.0, -2.0})[1], std::exp(-2.0));
  EXPECT_DOUBLE_EQ(alphaFromLog(Row{1e19, 0.0})[0], std::exp(650.0));
}

TEST(LaplaceBridge, RefusesWhatDoesNotFit) {
  const CovarianceSums two = sumsOfDiagonal(Row{1.0, 1.0});
  for (const Row& mean : {Row{}, Row{1.0}, Row{1.0, 2.0, 3.0}}) {
    EXPECT_THROW(static_cast<void>(bridgeLogAlpha(mean, two, BridgeVariant::kRaw)),
                 std::invalid_argument);
  }
  EXPECT_THROW(static_cast<void>(sumsOfFull(Row{1.0, 2.0})), std::invalid_argument);
  const double inf = std::numeric_limits<double>::infinity();
  for (const Row& alpha : {Row{1.0}, Row{1.0, 0.0}, Row{1.0, inf}, Row{1.0, std::nan("")}}) {
    EXPECT_THROW(static_cast<void>(dirichletToLogitGaussian(alpha)), std::invalid_argument);
  }
  EXPECT_THROW(static_cast<void>(probit(Row{1.0}, Row{})), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
