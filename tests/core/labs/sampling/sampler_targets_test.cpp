// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/sampler_targets.h"

#include <gtest/gtest.h>

#include <cmath>
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
    const DenseGaussian sums = integratedMoments(*target.density, x, y, 1300);
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

TEST(SamplerTargets, ShowNearlyAllOfTheProbability) {
  for (const SamplerTargetInfo& info : samplerTargets()) {
    const SamplerTarget target = info.make(0.9);
    EXPECT_EQ(findSamplerTarget(info.key), &info);
    const Array<double> grid = densityGrid(target, 40, 60);
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
