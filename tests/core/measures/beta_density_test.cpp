// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/beta_density.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

TEST(BetaDensity, isThatOfTheDefinition) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> exponent(-3.0, 2.0);
  std::uniform_real_distribution<double> uniform(1e-6, 1.0 - 1e-6);
  for (int trial = 0; trial < 1000; ++trial) {
    const double a = std::pow(10.0, exponent(random));
    const double b = std::pow(10.0, exponent(random));
    const double x = uniform(random);
    const double expected = (a - 1.0) * std::log(x) + (b - 1.0) * std::log1p(-x) -
                            (std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b));
    EXPECT_TRUE(test::closeTo(betaLogDensity(a, b, x), expected, 1e-10, 1e-10)) << a << " " << b;
  }
  EXPECT_NEAR(betaLogDensity(1.0, 1.0, 0.3), 0.0, 1e-14);
}

// Within six standard deviations of the mean.
TEST(BetaDensity, hasAnAreaOfOneHoweverNarrow) {
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

TEST(BetaDensity, refusesWhatIsNoBeta) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, x] : {std::array{0.0, 1.0, 0.5},
                                {1.0, inf, 0.5},
                                {1.0, 1.0, 0.0},
                                {1.0, 1.0, 1.0},
                                {1.0, 1.0, std::nan("")}}) {
    EXPECT_THROW(static_cast<void>(betaLogDensity(a, b, x)), std::invalid_argument);
  }
}

}  // namespace
}  // namespace dubito
