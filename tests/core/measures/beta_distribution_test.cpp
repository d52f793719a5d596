// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/beta_distribution.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;

TEST(BetaDensity, IsThatOfTheDefinition) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> exponent(-3.0, 2.0);
  std::uniform_real_distribution<double> uniform(1e-6, 1.0 - 1e-6);
  for (int trial = 0; trial < 1000; ++trial) {
    const double a = std::pow(10.0, exponent(random));
    const double b = std::pow(10.0, exponent(random));
    const double x = uniform(random);
    const double expected = (a - 1.0) * std::log(x) + (b - 1.0) * std::log1p(-x) -
                            (std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b));
    EXPECT_TRUE(closeTo(betaLogDensity(a, b, x), expected, 1e-10, 1e-10)) << a << " " << b;
  }
  EXPECT_NEAR(betaLogDensity(1.0, 1.0, 0.3), 0.0, 1e-14);
}

// Within six standard deviations of the mean.
TEST(BetaDensity, HasAnAreaOfOneHoweverNarrow) {
  for (const double scale : {1.0, 1e3, 1e9, 1e15}) {
    const double a = 30.0 * scale;
    const double b = 50.0 * scale;
    const double mean = a / (a + b);
    const double deviation = std::sqrt(mean * (1.0 - mean) / (a + b + 1.0));
    double area = 0.0;
    const double step = 0.05;
    for (double u = -6.0; u <= 6.0; u += step) {
      area += step * deviation * std::exp(betaLogDensity(a, b, mean + u * deviation));
    }
    // x itself is rounded to 1e-16 of about 4e-10 at the largest.
    EXPECT_NEAR(area, 1.0, 1e-6) << scale;
  }
}

TEST(BetaDensity, RefusesWhatIsNoBeta) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, x] : {std::array{0.0, 1.0, 0.5},
                                {1.0, inf, 0.5},
                                {1.0, 1.0, 0.0},
                                {1.0, 1.0, 1.0},
                                {1.0, 1.0, std::nan("")}}) {
    EXPECT_THROW(static_cast<void>(betaLogDensity(a, b, x)), std::invalid_argument);
  }
}

TEST(BetaQuantile, AgreesWithTheReference) {
  const nlohmann::json rows = test::readVectors("topk").at("beta_quantiles");
  ASSERT_FALSE(rows.empty());
  for (const nlohmann::json& row : rows) {
    const BetaQuantile quantile = betaQuantile(row.at("a").get<double>(), row.at("b").get<double>(),
                                               row.at("p").get<double>());
    const double x = row.at("x").get<double>();
    // The file's smallest numbers stand for anything below them.
    if (x > 1e-300) {
      EXPECT_TRUE(closeTo(quantile.x(), x, 1e-9)) << row.dump();
    } else {
      EXPECT_LT(quantile.x(), 1e-300) << row.dump();
    }
  }
}

TEST(BetaQuantile, AgreesWithTheReferenceInBothLogarithms) {
  const nlohmann::json rows = test::readVectors("special").at("beta_quantiles");
  ASSERT_FALSE(rows.empty());
  for (const nlohmann::json& row : rows) {
    const auto at = [&](std::size_t i) { return row.at(i).get<double>(); };
    const BetaQuantile quantile = betaQuantile(at(0), at(1), at(2));
    // The file writes 0 for logarithms below 1e-300.
    EXPECT_TRUE(closeTo(quantile.log_x, at(5), 1e-9, 1e-300)) << row.dump();
    EXPECT_TRUE(closeTo(quantile.log_complement, at(6), 1e-9, 1e-300)) << row.dump();
    // If a double can represent the quantile or its complement, check that too.
    if (at(3) > 1e-300) {
      EXPECT_TRUE(closeTo(quantile.x(), at(3), 1e-9)) << row.dump();
    }
    if (at(4) > 1e-300) {
      EXPECT_TRUE(closeTo(std::exp(quantile.log_complement), at(4), 1e-9)) << row.dump();
    }
  }
}

TEST(BetaQuantile, KeepsItsDigitsWhereTheBetaFunctionUnderflows) {
  // b X is Gamma(a) for such b.
  for (const double a : {2.0, 15.0, 20.0}) {
    for (const double b : {1e18, 1e22, 1e200}) {
      const double log_median = std::log(boost::math::gamma_p_inv(a, 0.5)) - std::log(b);
      EXPECT_NEAR(betaQuantile(a, b, 0.5).log_x, log_median, 1e-9) << a << " " << b;
      EXPECT_NEAR(betaQuantile(b, a, 0.5).log_complement, log_median, 1e-9) << a << " " << b;
    }
  }
}

TEST(BetaQuantile, IsTheInverseOfTheDistribution) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-1.5, 5.5);
  std::uniform_real_distribution<double> uniform(0.001, 0.999);
  for (int trial = 0; trial < 500; ++trial) {
    const double a = std::pow(10.0, exponent(random));
    const double b = std::pow(10.0, exponent(random));
    const double p = uniform(random);
    const BetaQuantile quantile = betaQuantile(a, b, p);
    const double x = quantile.x();
    if (x > 1e-200 && x < 0.9) {
      EXPECT_NEAR(boost::math::ibeta(a, b, x), p, 1e-8) << a << " " << b;
    }
    // 1 - X is Beta(b, a).
    const BetaQuantile other = betaQuantile(b, a, 1.0 - p);
    EXPECT_TRUE(closeTo(other.log_complement, quantile.log_x, 1e-9, 1e-300))
        << a << " " << b << " " << p;
  }
}

TEST(BetaQuantile, RisesWithProbabilityAcrossAllRegions) {
  for (const double a : {1e-300, 1e-12, 1e-3, 0.3, 1.0, 50.0, 1e5, 2e6, 1e11, 1e13, 1e30}) {
    for (const double b : {1e-300, 1e-12, 1e-3, 0.3, 1.0, 50.0, 1e5, 2e6, 1e11, 1e13, 1e30}) {
      const BetaQuantile low = betaQuantile(a, b, 0.025);
      const BetaQuantile middle = betaQuantile(a, b, 0.5);
      const BetaQuantile high = betaQuantile(a, b, 0.975);
      for (const BetaQuantile& quantile : {low, middle, high}) {
        EXPECT_LE(quantile.log_x, 0.0) << a << " " << b;
        EXPECT_LE(quantile.log_complement, 0.0) << a << " " << b;
      }
      // Two equal alphas near 0 leave nothing between the corners but the middle.
      EXPECT_FALSE(low > middle) << a << " " << b;
      EXPECT_FALSE(middle > high) << a << " " << b;
      EXPECT_TRUE(high > low) << a << " " << b;
    }
  }
}

// The quantile is continuous at the borders between two ways of computing it.
TEST(BetaQuantile, GoesOnAcrossTheBordersOfItsRegions) {
  for (const double p : {0.025, 0.5, 0.975}) {
    for (const double b : {0.5, 30.0, 1e4, 0.99e6, 1.01e6, 1e9}) {
      const BetaQuantile below = betaQuantile(0.999999e12, b, p);
      const BetaQuantile above = betaQuantile(1.000001e12, b, p);
      // ln(1 - x) goes like ln(b / (a + b)).
      EXPECT_NEAR(below.log_complement - above.log_complement, 2e-6 * 1e12 / (1e12 + b), 1e-10)
          << b << " " << p;
    }
    for (const double a : {0.5, 30.0, 1e4, 0.99e6}) {
      const BetaQuantile below = betaQuantile(a, 0.999999e12, p);
      const BetaQuantile above = betaQuantile(a, 1.000001e12, p);
      EXPECT_NEAR(below.log_x - above.log_x, 2e-6, 1e-10) << a << " " << p;
    }
    const BetaQuantile below = betaQuantile(0.9999999e6, 3e6, p);
    const BetaQuantile above = betaQuantile(1.0000001e6, 3e6, p);
    EXPECT_NEAR(above.log_x - below.log_x, 1.5e-7, 1e-9) << p;
  }
}

TEST(BetaQuantile, RefusesWhatIsNoBeta) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, p] : {std::array{0.0, 1.0, 0.5},
                                {1.0, -1.0, 0.5},
                                {1.0, inf, 0.5},
                                {1.0, 1.0, 0.0},
                                {1.0, 1.0, 1.0},
                                {std::nan(""), 1.0, 0.5},
                                {1.0, 1.0, std::nan("")}}) {
    EXPECT_THROW(static_cast<void>(betaQuantile(a, b, p)), std::invalid_argument);
  }
}

}  // namespace
}  // namespace dubito
