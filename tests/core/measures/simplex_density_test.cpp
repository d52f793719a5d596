// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/simplex_density.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

using Alpha = std::array<double, 3>;

TEST(DirichletLogDensity, IsThatOfTheDefinition) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> exponent(-3.0, 2.0);
  std::gamma_distribution<double> part(0.7);
  for (int trial = 0; trial < 1000; ++trial) {
    Alpha alpha{};
    Triple p{};
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      alpha[k] = std::pow(10.0, exponent(random));
      p[k] = part(random) + 1e-9;
      sum += p[k];
    }
    double expected = std::lgamma(alpha[0] + alpha[1] + alpha[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      p[k] /= sum;
      expected += (alpha[k] - 1.0) * std::log(p[k]) - std::lgamma(alpha[k]);
    }
    EXPECT_TRUE(test::closeTo(dirichletLogDensity(alpha, p), expected, 1e-9, 1e-9));
  }
  EXPECT_NEAR(dirichletLogDensity({1.0, 1.0, 1.0}, {0.2, 0.5, 0.3}), std::log(2.0), 1e-13);
}

// At its own mean Dir(alpha) for huge alpha is the Gaussian with the determinant m_0 m_1 m_2 /
// alpha_0^2 of its covariance.
TEST(DirichletLogDensity, KeepsItsDigitsForHugeAlpha) {
  const Triple mean = {0.5, 0.3, 0.2};
  for (const double sum : {1e9, 1e16, 1e30}) {
    const double expected =
        std::log(sum) - std::log(2.0 * M_PI) - 0.5 * std::log(mean[0] * mean[1] * mean[2]);
    const Alpha alpha = {sum * mean[0], sum * mean[1], sum * mean[2]};
    EXPECT_NEAR(dirichletLogDensity(alpha, mean), expected, 1e-6) << sum;
  }
}

TEST(SimplexDensity, IsTheDensityAtTheMiddleOfEveryCell) {
  const Alpha alpha = {0.4, 3.0, 7.5};
  const std::int64_t n = 24;
  const SimplexDensity picture = simplexDensity(alpha, n);
  std::int64_t inside = 0;
  for (std::int64_t r = 0; r < n; ++r) {
    for (std::int64_t c = 0; c < n; ++c) {
      const double y = (static_cast<double>(r) + 0.5) / static_cast<double>(n);
      const double right = (static_cast<double>(c) + 0.5) / static_cast<double>(n) - 0.5 * y;
      const Triple p = {1.0 - right - y, right, y};
      const double value = picture.log_density.row(r)[static_cast<std::size_t>(c)];
      EXPECT_EQ(std::isnan(value), p[0] < 0.0 || p[1] < 0.0) << r << " " << c;
      if (!std::isnan(value)) {
        ++inside;
        EXPECT_TRUE(test::closeTo(value, dirichletLogDensity(alpha, p), 1e-10, 1e-10));
      }
    }
  }
  EXPECT_EQ(inside, n * n / 2);
  EXPECT_NEAR(picture.mean[1], 3.0 / 10.9, 1e-15);
  EXPECT_FALSE(picture.mode);
}

// Independent draws fall inside the lines as often as these say.
TEST(SimplexDensity, LinesEncloseTheirShareOfTheProbability) {
  for (const Alpha& alpha : {Alpha{2.0, 3.0, 4.0}, Alpha{40.0, 10.0, 5.0}, Alpha{0.8, 0.9, 2.0},
                             Alpha{4e5, 3e5, 3e5}, Alpha{0.3, 0.2, 0.3}}) {
    const SimplexDensity picture = simplexDensity(alpha, 160);
    ASSERT_FALSE(picture.levels.empty());
    std::mt19937_64 random(8);
    constexpr int kDraws = 20000;
    std::vector<double> log_densities;
    for (int i = 0; i < kDraws; ++i) {
      Triple p{};
      double sum = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] = std::max(std::gamma_distribution<double>(alpha[k])(random), 1e-300);
        sum += p[k];
      }
      for (double& value : p) {
        value /= sum;
      }
      log_densities.push_back(dirichletLogDensity(alpha, p));
    }
    for (const DensityLevel& level : picture.levels) {
      int count = 0;
      for (const double value : log_densities) {
        count += value >= level.log_density ? 1 : 0;
      }
      EXPECT_NEAR(static_cast<double>(count) / kDraws, level.share, 0.02)
          << alpha[0] << ", share " << level.share;
    }
  }
}

TEST(SimplexDensity, AUniformDensityHasNoLines) {
  EXPECT_TRUE(simplexDensity({1.0, 1.0, 1.0}, 40).levels.empty());
  EXPECT_EQ(simplexDensity({1.0, 1.0, 1.5}, 40).levels.size(), 3U);
}

TEST(SimplexDensity, SurvivesEveryAlpha) {
  for (const double a : {1e-3, 0.5, 1.0, 2.0, 1e4, 1e16, 1e30}) {
    for (const double b : {1e-3, 1.0, 1e9, 1e30}) {
      for (const double c : {1e-3, 1.0, 1e30}) {
        const SimplexDensity picture = simplexDensity({a, b, c}, 16);
        for (std::int64_t i = 0; i < picture.log_density.size(); ++i) {
          EXPECT_FALSE(std::isinf(picture.log_density.data()[i])) << a << " " << b << " " << c;
        }
        EXPECT_NEAR(picture.mean[0] + picture.mean[1] + picture.mean[2], 1.0, 1e-12);
        EXPECT_EQ(picture.mode.has_value(), a > 1.0 && b > 1.0 && c > 1.0);
        for (std::size_t i = 1; i < picture.levels.size(); ++i) {
          EXPECT_LT(picture.levels[i - 1].share, picture.levels[i].share);
          EXPECT_GE(picture.levels[i - 1].log_density, picture.levels[i].log_density);
        }
      }
    }
  }
}

TEST(SimplexDensity, RefusesWhatIsNoDirichlet) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, inf, std::nan("")}) {
    EXPECT_THROW(static_cast<void>(simplexDensity({1.0, bad, 1.0}, 8)), std::invalid_argument);
  }
  EXPECT_THROW(static_cast<void>(simplexDensity({1.0, 1.0, 1.0}, 1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(simplexDensity({1.0, 1.0, 1.0}, 5000)), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
