// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/logit_normal.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/labs/simplex/gaussian_choice.h"
#include "core/labs/simplex/logit_approximations.h"
#include "core/labs/simplex/logit_normal_integrals.h"
#include "core/measures/beta_distribution.h"
#include "core/measures/honesty.h"
#include "core/measures/simplex_density.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

const LogitGaussian kGeneral{{0.6, -0.2, 0.1}, {0.5, 0.2, -0.1, 0.2, 0.6, 0.1, -0.1, 0.1, 0.4}};
const std::vector<double> kLogAlpha{std::log(4.0), std::log(2.5), std::log(3.0)};

LogitGaussian twoLogits(double mean, double variance) {
  return {{mean, 0.0}, {variance, 0.0, 0.0, 0.0}};
}

/// Sum of f(p) over the midpoints of n^2 equal triangles, times their area.
template <class Function>
double overTriangles(int n, const Function& f) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j + i < n; ++j) {
      const double x = (i + 1.0 / 3.0) / n;
      const double y = (j + 1.0 / 3.0) / n;
      sum += f(Triple{x, y, 1.0 - x - y});
      if (i + j + 2 <= n) {
        sum += f(Triple{(i + 2.0 / 3.0) / n, (j + 2.0 / 3.0) / n, 1.0 - (i + j + 4.0 / 3.0) / n});
      }
    }
  }
  return sum / (2.0 * n * n);
}

/// ln of the density by the textbook formula in the differences of two logits from the third.
double plainLogDensity(const LogitGaussian& gaussian, const Triple& p) {
  const auto& s = gaussian.covariance;
  const double a = s[0] - 2.0 * s[2] + s[8];
  const double b = s[1] - s[2] - s[5] + s[8];
  const double c = s[4] - 2.0 * s[5] + s[8];
  const double x = std::log(p[0] / p[2]) - (gaussian.mean[0] - gaussian.mean[2]);
  const double y = std::log(p[1] / p[2]) - (gaussian.mean[1] - gaussian.mean[2]);
  const double determinant = a * c - b * b;
  return -0.5 * (c * x * x - 2.0 * b * x * y + a * y * y) / determinant -
         std::log(2.0 * std::numbers::pi) - 0.5 * std::log(determinant) -
         std::log(p[0] * p[1] * p[2]);
}

TEST(LogitNormal, DensityIsTheTextbookFormula) {
  const LogitNormal distribution(kGeneral);
  for (const Triple& p : {Triple{0.2, 0.3, 0.5}, Triple{0.9, 0.06, 0.04}, Triple{1e-8, 0.5, 0.5}}) {
    EXPECT_TRUE(closeTo(distribution.logDensity(p), plainLogDensity(kGeneral, p), 1e-12, 1e-12));
  }
  // Two classes: the normal density of the difference divided by p (1 - p).
  const LogitNormal line(twoLogits(0.4, 0.7));
  const double y = std::log(0.3 / 0.7) - 0.4;
  const double expected =
      -0.5 * y * y / 0.7 - 0.5 * std::log(2.0 * std::numbers::pi * 0.7) - std::log(0.21);
  EXPECT_TRUE(closeTo(line.logDensity(std::array{0.3, 0.7}), expected, 1e-12));
}

TEST(LogitNormal, ImageHasTheDensityAtTheCentresOfItsCells) {
  const LogitNormal distribution(kGeneral);
  RunContext context;
  const LogitNormalMoments moments = momentsOf(distribution, context);
  constexpr std::int64_t kCells = 50;
  const SimplexDensity image =
      logitNormalDensity(distribution, moments.mean, moments.variance, kCells);
  const SimplexDensity like = simplexDensity({4.0, 2.0, 3.0}, kCells);
  double total = 0.0;
  for (std::int64_t r = 0; r < kCells; ++r) {
    for (std::int64_t c = 0; c < kCells; ++c) {
      const double value = image.log_density.row(r)[static_cast<std::size_t>(c)];
      const double of_dirichlet = like.log_density.row(r)[static_cast<std::size_t>(c)];
      ASSERT_EQ(std::isnan(value), std::isnan(of_dirichlet));
      if (!std::isnan(value)) {
        const double top = (static_cast<double>(r) + 0.5) / kCells;
        const double right = (static_cast<double>(c) + 0.5) / kCells - 0.5 * top;
        EXPECT_TRUE(closeTo(value, plainLogDensity(kGeneral, {1.0 - right - top, right, top}),
                            1e-10, 1e-10));
        total += std::exp(value) / (kCells * kCells);
      }
    }
  }
  EXPECT_NEAR(total, 1.0, 1e-3);
  ASSERT_EQ(image.levels.size(), 3U);
  EXPECT_GT(image.levels[0].log_density, image.levels[2].log_density);
  // No point near the mode is denser.
  ASSERT_TRUE(image.mode);
  const double highest = distribution.logDensity(*image.mode);
  for (const double step : {1e-3, -1e-3}) {
    const Triple& m = *image.mode;
    EXPECT_GT(highest, distribution.logDensity(Triple{m[0] + step, m[1], m[2] - step}));
    EXPECT_GT(highest, distribution.logDensity(Triple{m[0], m[1] + step, m[2] - step}));
  }
}

TEST(LogitNormal, MomentsEqualThoseOverTheTriangle) {
  RunContext context;
  const LogitNormalMoments moments = momentsOf(LogitNormal(kGeneral), context);
  for (std::size_t k = 0; k < 3; ++k) {
    const double mean = overTriangles(
        600, [&](const Triple& p) { return p[k] * std::exp(plainLogDensity(kGeneral, p)); });
    const double square = overTriangles(
        600, [&](const Triple& p) { return p[k] * p[k] * std::exp(plainLogDensity(kGeneral, p)); });
    EXPECT_NEAR(moments.mean[k], mean, 1e-5);
    EXPECT_NEAR(moments.variance[k], square - mean * mean, 1e-5);
  }
  EXPECT_TRUE(closeTo(std::accumulate(moments.mean.begin(), moments.mean.end(), 0.0), 1.0, 1e-12));
}

TEST(LogitNormal, MomentsDoNotDependOnTheStep) {
  // A strong slope needs fine steps; the total variation at 60 nodes uses the finest.
  RunContext context;
  LogitGaussian steep = kGeneral;
  for (double& value : steep.covariance) {
    value *= 40.0;
  }
  const LogitNormal distribution(steep);
  const LogitNormalMoments moments = momentsOf(distribution, context);
  EXPECT_TRUE(moments.is_accurate);
  const std::array rivals{dirichletRival(kLogAlpha)};
  const double few = compareDensities(distribution, rivals, 4, context)[0].divergence;
  const double many = compareDensities(distribution, rivals, 60, context)[0].divergence;
  EXPECT_TRUE(closeTo(few, many, 1e-9));
  for (double& value : steep.covariance) {
    value *= 1000.0;
  }
  EXPECT_FALSE(momentsOf(LogitNormal(steep), context).is_accurate);
}

TEST(LogitNormal, VarianceSlopeIsTheDerivativeOfTheVariance) {
  RunContext context;
  const LogitNormalMoments moments = momentsOf(LogitNormal(kGeneral), context);
  for (std::size_t k = 0; k < 3; ++k) {
    constexpr double kStep = 1e-4;
    LogitGaussian changed = kGeneral;
    changed.covariance[4 * k] += kStep;
    const double above = momentsOf(LogitNormal(changed), context).variance[k];
    changed.covariance[4 * k] -= 2.0 * kStep;
    const double below = momentsOf(LogitNormal(changed), context).variance[k];
    EXPECT_TRUE(closeTo(moments.variance_slope[k], (above - below) / (2.0 * kStep), 1e-6)) << k;
  }
}

TEST(LogitNormal, DivergencesEqualIndependentIntegralsOverTheTriangle) {
  RunContext context;
  const LogitNormal exact(kGeneral);
  const std::array rivals{dirichletRival(kLogAlpha)};
  const DensityComparison comparison = compareDensities(exact, rivals, 20, context)[0];
  const auto log_dirichlet = [](const Triple& p) {
    return dirichletLogDensity({4.0, 2.5, 3.0}, p);
  };
  const double forward = overTriangles(1000, [&](const Triple& p) {
    const double log_p = plainLogDensity(kGeneral, p);
    return std::exp(log_p) * (log_p - log_dirichlet(p));
  });
  const double reverse = overTriangles(1000, [&](const Triple& p) {
    const double log_q = log_dirichlet(p);
    return std::exp(log_q) * (log_q - plainLogDensity(kGeneral, p));
  });
  const double distance = overTriangles(1000, [&](const Triple& p) {
    return 0.5 * std::abs(std::exp(plainLogDensity(kGeneral, p)) - std::exp(log_dirichlet(p)));
  });
  EXPECT_TRUE(closeTo(comparison.divergence, forward, 0.0, 1e-5));
  EXPECT_TRUE(closeTo(divergenceFromDirichlet(kLogAlpha, exact), reverse, 0.0, 1e-5));
  EXPECT_TRUE(closeTo(comparison.total_variation, distance, 0.0, 1e-4));
  EXPECT_LT(comparison.total_variation_error, 2e-3);
  // Another distribution of softmax(z) as the rival.
  const LogitGaussian other = transformedFor(BridgeVariant::kConditioned, kGeneral);
  RivalDensity conditioned;
  conditioned.logit_normal = LogitNormal(other);
  const DensityComparison changed =
      compareDensities(exact, std::span(&conditioned, 1), 20, context)[0];
  const double distance_of_conditioned = overTriangles(1000, [&](const Triple& p) {
    return 0.5 *
           std::abs(std::exp(plainLogDensity(kGeneral, p)) - std::exp(plainLogDensity(other, p)));
  });
  EXPECT_GT(distance_of_conditioned, 0.05);
  EXPECT_TRUE(closeTo(changed.total_variation, distance_of_conditioned, 0.0, 1e-4));
  EXPECT_TRUE(closeTo(comparison.divergence,
                      densityDivergence(kGeneral.mean, kGeneral.covariance, kLogAlpha).value(),
                      1e-8));
}

TEST(LogitNormal, DivergencesOnALineEqualIndependentIntegrals) {
  RunContext context;
  const LogitGaussian gaussian = twoLogits(0.4, 0.7);
  const LogitNormal exact(gaussian);
  const std::vector<double> log_alpha{std::log(3.0), std::log(2.0)};
  const std::array rivals{dirichletRival(log_alpha)};
  const DensityComparison comparison = compareDensities(exact, rivals, 40, context)[0];
  double forward = 0.0;
  double reverse = 0.0;
  double distance = 0.0;
  constexpr int kParts = 200'000;
  for (int i = 0; i < kParts; ++i) {
    const double x = (i + 0.5) / kParts;
    const double log_p = exact.logDensity(std::array{x, 1.0 - x});
    const double log_q = betaLogDensity(3.0, 2.0, x);
    forward += std::exp(log_p) * (log_p - log_q) / kParts;
    reverse += std::exp(log_q) * (log_q - log_p) / kParts;
    distance += 0.5 * std::abs(std::exp(log_p) - std::exp(log_q)) / kParts;
  }
  EXPECT_NEAR(comparison.divergence, forward, 1e-7);
  EXPECT_NEAR(divergenceFromDirichlet(log_alpha, exact), reverse, 1e-7);
  EXPECT_NEAR(comparison.total_variation, distance, 1e-3);
}

TEST(LogitNormal, ComparisonDoesNotDependOnThreads) {
  RunContext one;
  one.threads = 1;
  RunContext three;
  three.threads = 3;
  const LogitNormal exact(kGeneral);
  const std::array rivals{dirichletRival(kLogAlpha)};
  EXPECT_EQ(compareDensities(exact, rivals, 20, one)[0].divergence,
            compareDensities(exact, rivals, 20, three)[0].divergence);
  EXPECT_EQ(momentsOf(exact, one).mean, momentsOf(exact, three).mean);
}

TEST(LogitTransforms, BridgesOfTransformedGaussiansAreTheRawBridge) {
  for (const GaussianPreset& preset : gaussianPresets()) {
    const LogitGaussian gaussian = preset.make();
    for (const BridgeVariant variant : {BridgeVariant::kCentred, BridgeVariant::kConditioned,
                                        BridgeVariant::kNormalised, BridgeVariant::kRaw}) {
      const LogitGaussian changed = transformedFor(variant, gaussian);
      const auto direct = bridgeLogAlpha(gaussian.mean, sumsOfFull(gaussian.covariance), variant);
      const auto raw =
          bridgeLogAlpha(changed.mean, sumsOfFull(changed.covariance), BridgeVariant::kRaw);
      for (std::size_t k = 0; k < direct.size(); ++k) {
        if (changed.covariance[k * (direct.size() + 1)] > 1e-9) {
          EXPECT_TRUE(closeTo(raw[k], direct[k], 1e-9, 1e-9))
              << preset.key << " " << bridgeVariantName(variant);
        }
      }
    }
  }
}

TEST(LogitTransforms, ConditioningGivesAZeroSumAndCentringKeepsTheDistribution) {
  const LogitGaussian conditioned = transformedFor(BridgeVariant::kConditioned, kGeneral);
  const CovarianceSums sums = sumsOfFull(conditioned.covariance);
  for (const double row : sums.row_sum) {
    EXPECT_NEAR(row, 0.0, 1e-15);
  }
  const Triple p{0.2, 0.3, 0.5};
  const LogitGaussian centred = transformedFor(BridgeVariant::kCentred, kGeneral);
  EXPECT_TRUE(closeTo(LogitNormal(centred).logDensity(p), LogitNormal(kGeneral).logDensity(p),
                      1e-12, 1e-12));
  EXPECT_GT(std::abs(LogitNormal(conditioned).logDensity(p) - LogitNormal(kGeneral).logDensity(p)),
            1e-3);
}

}  // namespace
}  // namespace dubito
