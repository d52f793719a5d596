// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/sampler_targets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "core/labs/random/keyed_random.h"
#include "tests/core/labs/sampling/linear_model.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

TEST(SamplerTargets, HaveTheGradientsOfTheirDensities) {
  for (const SamplerTargetInfo& info : samplerTargets()) {
    const SamplerTarget target = info.make(0.8);
    std::vector<double> q(2);
    std::vector<double> gradient(2);
    for (std::uint32_t i = 0; i < 20; ++i) {
      KeyedRandom(1, LabSite::kStartingPoint).normals(i, q);
      const double value = target.density->evaluate(q, gradient);
      EXPECT_EQ(target.density->evaluate(q, {}), value) << info.key;
      for (std::size_t d = 0; d < 2; ++d) {
        constexpr double kStep = 1e-5;
        std::vector<double> up = q;
        std::vector<double> down = q;
        up[d] += kStep;
        down[d] -= kStep;
        const double slope =
            (target.density->evaluate(up, {}) - target.density->evaluate(down, {})) / (2.0 * kStep);
        // Central differences are good to about kStep^2.
        EXPECT_TRUE(test::closeTo(gradient[d], slope, 1e-6, 1e-7)) << info.key;
      }
    }
  }
}

TEST(SamplerTargets, HaveTheMomentsOfTheirDensities) {
  for (const SamplerTargetInfo& info : samplerTargets()) {
    if (std::string(info.key) == "funnel") {
      continue;  // see FunnelHasItsMoments
    }
    const SamplerTarget target = info.make(-0.6);
    // The ridges of the network are narrow, and the banana is long.
    const bool is_network = std::string(info.key) == "network";
    const Interval x = is_network ? Interval{-16.0, 16.0} : Interval{-25.0, 25.0};
    const Interval y = is_network ? Interval{-16.0, 16.0} : Interval{-25.0, 45.0};
    const DenseGaussian sums = integratedDensity(*target.density, x, y, 1300).moments;
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_TRUE(test::closeTo(target.moments.mean[d], sums.mean[d], 1e-5, 1e-5)) << info.key;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_TRUE(test::closeTo(target.moments.covariance[i], sums.covariance[i], 1e-4, 1e-4))
          << info.key << " " << i;
    }
  }
}

TEST(SamplerTargets, FunnelHasItsMoments) {
  // x = e^(v/2) u has the density p(x, v); in (u, v) the funnel is two independent normals.
  const SamplerTarget target = findSamplerTarget("funnel")->make(0.0);
  for (const double v : {-3.0, 0.0, 2.0}) {
    for (const double u : {-1.0, 0.5}) {
      const std::vector<double> q{std::exp(0.5 * v) * u, v};
      EXPECT_NEAR(target.density->evaluate(q, {}) + 0.5 * v, -0.5 * u * u - v * v / 18.0, 1e-12);
    }
  }
  EXPECT_DOUBLE_EQ(target.moments.covariance[0], std::exp(4.5));
  EXPECT_DOUBLE_EQ(target.moments.covariance[3], 9.0);
}

/// Density of N(mean, std^2).
double normalDensity(double x, double mean, double std) {
  const double z = (x - mean) / std;
  return std::exp(-0.5 * z * z) / (std * std::sqrt(2.0 * std::numbers::pi));
}

TEST(MarginalDensity, IsThatOfTheExactMarginals) {
  const auto expectMarginal = [](const SamplerTarget& target, std::size_t axis,
                                 const auto& expected) {
    const Curve found = marginalDensity(target, axis, 41);
    ASSERT_EQ(found.x.size(), 41U);
    for (std::size_t i = 0; i < found.x.size(); ++i) {
      EXPECT_TRUE(test::closeTo(found.y[i], expected(found.x[i]), 1e-3, 1e-9)) << found.x[i];
    }
  };
  for (const double correlation : {0.0, -0.9, 0.999}) {
    const SamplerTarget target = findSamplerTarget("gaussian")->make(correlation);
    for (const std::size_t axis : {0U, 1U}) {
      expectMarginal(target, axis, [](double x) { return normalDensity(x, 0.0, 1.0); });
    }
  }
  expectMarginal(findSamplerTarget("banana")->make(0.0), 0,
                 [](double x) { return normalDensity(x, 0.0, 2.0); });
  expectMarginal(findSamplerTarget("funnel")->make(0.0), 1,
                 [](double v) { return normalDensity(v, 0.0, 3.0); });
  expectMarginal(findSamplerTarget("mixture")->make(0.0), 1, [](double y) {
    return 0.5 * normalDensity(y, -1.0, 0.7) + 0.3 * normalDensity(y, 1.5, 0.6) +
           0.2 * normalDensity(y, -2.0, 0.5);
  });
}

TEST(MarginalDensity, SumsToTheShownProbability) {
  for (const SamplerTargetInfo& info : samplerTargets()) {
    const SamplerTarget target = info.make(0.5);
    for (const std::size_t axis : {0U, 1U}) {
      const Curve curve = marginalDensity(target, axis, 401);
      double mass = 0.0;
      for (std::size_t i = 1; i < curve.x.size(); ++i) {
        mass += 0.5 * (curve.y[i] + curve.y[i - 1]) * (curve.x[i] - curve.x[i - 1]);
      }
      EXPECT_GT(mass, 0.96) << info.key << axis;
      EXPECT_LT(mass, 1.001) << info.key << axis;
    }
  }
}

TEST(SamplerTargets, ShowNearlyAllOfTheProbability) {
  for (const SamplerTargetInfo& info : samplerTargets()) {
    const SamplerTarget target = info.make(0.9);
    EXPECT_EQ(findSamplerTarget(info.key), &info);
    Array<double> grid = logDensityGrid(target, 40, 60);
    const double largest = std::ranges::max(grid.values());
    for (double& value : grid.mutableValues()) {
      value = std::exp(value - largest);
    }
    double edge = 0.0;
    double all = 0.0;
    for (std::int64_t i = 0; i < 40; ++i) {
      for (std::int64_t j = 0; j < 60; ++j) {
        const double value = grid.row(i)[static_cast<std::size_t>(j)];
        all += value;
        edge += i == 0 || j == 0 || i == 39 || j == 59 ? value : 0.0;
      }
    }
    EXPECT_LT(edge / all, 0.01) << info.key;
  }
  EXPECT_EQ(findSamplerTarget("none"), nullptr);
}

TEST(SamplerTargets, LevelsOfTheGaussianAreThoseOfTheExactEllipse) {
  const std::array shares{0.5, 0.9, 0.99};
  for (const double correlation : {0.0, 0.9, 0.999}) {
    const SamplerTarget target = findSamplerTarget("gaussian")->make(correlation);
    const std::vector<double> levels = target.levels(shares);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      // On the ellipse with radius r along (1, 1): r^2 = -2 ln(1 - share).
      const double r = std::sqrt(-2.0 * std::log(1.0 - shares[i]));
      const double along = r * std::sqrt(0.5 * (1.0 + correlation));
      EXPECT_NEAR(target.density->evaluate(std::vector<double>{along, along}, {}), levels[i], 1e-9);
    }
  }
}

/// Draws from the targets that are transformed normals or mixtures.
std::array<double, 2> drawFrom(const std::string& key, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double a = normal(random);
  const double b = normal(random);
  if (key == "banana") {
    const double x = 2.0 * a;
    return {x, 0.25 * (x * x - 4.0) + b};
  }
  if (key == "funnel") {
    return {std::exp(1.5 * b) * a, 3.0 * b};
  }
  const double which = std::uniform_real_distribution<double>()(random);
  return which < 0.5   ? std::array{-1.5 + 0.7 * a, -1.0 + 0.7 * b}
         : which < 0.8 ? std::array{2.0 + 0.6 * a, 1.5 + 0.6 * b}
                       : std::array{1.5 + 0.5 * a, -2.0 + 0.5 * b};
}

TEST(SamplerTargets, LevelsEncloseTheirShareOfTheWholeDensity) {
  const std::array shares{0.5, 0.9, 0.99};
  constexpr int kDraws = 40000;
  for (const std::string key : {"banana", "funnel", "mixture"}) {
    const SamplerTarget target = findSamplerTarget(key)->make(0.0);
    const std::vector<double> levels = target.levels(shares);
    std::mt19937_64 random(11);
    std::array<int, 3> above{};
    for (int draw = 0; draw < kDraws; ++draw) {
      const double value = target.density->evaluate(drawFrom(key, random), {});
      for (std::size_t i = 0; i < shares.size(); ++i) {
        above[i] += value >= levels[i] ? 1 : 0;
      }
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double error = std::sqrt(shares[i] * (1.0 - shares[i]) / kDraws);
      EXPECT_NEAR(static_cast<double>(above[i]) / kDraws, shares[i], 4.0 * error) << key;
    }
  }
  // The posterior has no exact draws; its levels fall.
  const std::vector<double> levels = findSamplerTarget("network")->make(0.0).levels(shares);
  EXPECT_GT(levels[0], levels[1]);
  EXPECT_GT(levels[1], levels[2]);
}

TEST(LaplaceGaussian, IsExactForAGaussian) {
  const test::Gaussian gaussian{{3.0, -40.0, 0.1},
                                {{2.0, 0.3, 0.0}, {0.3, 0.5, -0.2}, {0.0, -0.2, 1.0}}};
  const test::GaussianDensity density(gaussian);
  const auto result = laplaceGaussian(density, std::vector<double>{0.0, 0.0, 0.0});
  ASSERT_TRUE(result) << result.error().message;
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_NEAR(result->mean[d], gaussian.mean[d], 1e-7);
    for (std::size_t e = 0; e < 3; ++e) {
      EXPECT_NEAR(result->covariance[3 * d + e], gaussian.covariance[d][e], 1e-6);
    }
  }
}

TEST(LaplaceGaussian, FindsTheModesOfTheTargets) {
  for (const SamplerTargetInfo& info : samplerTargets()) {
    const SamplerTarget target = info.make(0.5);
    const auto result = laplaceGaussian(*target.density, target.near_mode);
    ASSERT_TRUE(result) << info.key << result.error().message;
    std::vector<double> gradient(2);
    target.density->evaluate(result->mean, gradient);
    EXPECT_NEAR(std::hypot(gradient[0], gradient[1]), 0.0, 1e-8) << info.key;
    EXPECT_GT(result->covariance[0], 0.0) << info.key;
  }
  // Of the funnel: v = -9/2, variances e^v and 9.
  const SamplerTarget funnel = findSamplerTarget("funnel")->make(0.0);
  const auto result = laplaceGaussian(*funnel.density, funnel.near_mode);
  EXPECT_NEAR(result->mean[1], -4.5, 1e-8);
  EXPECT_NEAR(result->covariance[0], std::exp(-4.5), 1e-6);
  EXPECT_NEAR(result->covariance[3], 9.0, 1e-4);
}

TEST(LaplaceGaussian, FailsWithoutAMode) {
  class Slope : public LogDensity {
   public:
    [[nodiscard]] std::int64_t dimension() const override { return 1; }
    double evaluate(std::span<const double> q, std::span<double> gradient) const override {
      if (!gradient.empty()) {
        gradient[0] = 1.0;
      }
      return q[0];
    }
  };
  EXPECT_FALSE(laplaceGaussian(Slope(), std::vector<double>{0.0}));
}

}  // namespace
}  // namespace dubito
