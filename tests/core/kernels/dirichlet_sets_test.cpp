// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "core/kernels/honesty.h"
#include "core/kernels/laplace_bridge.h"
#include "core/kernels/logit_normal_mc.h"
#include "core/kernels/probit.h"
#include "core/kernels/simplex_histogram.h"
#include "core/measures/honesty.h"
#include "tests/core/kernels/logit_gaussian_samples.h"

namespace dubito {
namespace {

std::vector<double> alphaOf(const Array<float>& log_alpha, std::int64_t row) {
  return alphaFromLog(std::vector<double>(log_alpha.row(row).begin(), log_alpha.row(row).end()));
}

TEST(HonestyKernel, GaugesWhatItSaysItDoes) {
  const std::vector<std::int64_t> ids{4, 9, -3, 11};
  for (const LogitGaussians& gaussians :
       {test::randomDiagonal(4, 3, 2.0F, 2.0F, 3), test::randomFactored(4, 3, 2, true, 2.0F, 3),
        test::randomFull(4, 3, 3, 2.0F, 3), test::randomDiagonal(4, 5, 2.0F, 2.0F, 3)}) {
    const HonestyGauge gauge =
        honestyGauge(gaussians, ids, BridgeVariant::kCentred, 500, 8, RunContext());
    const Array<float> log_alpha = laplaceBridge(gaussians, BridgeVariant::kCentred, RunContext());
    const LogitNormalSummary drawn = logitNormalMc(gaussians, ids, 500, 8, RunContext());
    const Array<double> probit = probitProbs(gaussians, RunContext());
    for (std::int64_t row = 0; row < 4; ++row) {
      std::vector<double> mean = alphaOf(log_alpha, row);
      const double precision = std::accumulate(mean.begin(), mean.end(), 0.0);
      for (double& value : mean) {
        value /= precision;
      }
      EXPECT_NEAR(gauge.bridge.data()[row], largestDifference(mean, drawn.mean_probs.row(row)),
                  1e-12);
      EXPECT_EQ(gauge.probit.data()[row],
                largestDifference(probit.row(row), drawn.mean_probs.row(row)));
      EXPECT_GT(gauge.probit.data()[row], 0.0);
    }
    EXPECT_EQ(gauge.divergence.size(), gaussians.mean.extent(1) == 3 ? 4 : 0);
  }
}

TEST(HonestyKernel, TheDivergenceIsThatOfTheSameGaussian) {
  const LogitGaussians full = test::randomFull(4, 3, 3, 1.0F, 4);
  const std::vector<std::int64_t> ids{0, 1, 2, 3};
  const HonestyGauge gauge = honestyGauge(full, ids, BridgeVariant::kRaw, 10, 0, RunContext());
  const Array<float> log_alpha = laplaceBridge(full, BridgeVariant::kRaw, RunContext());
  for (std::int64_t row = 0; row < 4; ++row) {
    const auto mean = full.mean.row(row);
    const auto covariance = std::get<FullCovariance>(full.covariance).covariance.row(row);
    const auto expected = densityDivergence(
        std::vector<double>(mean.begin(), mean.end()),
        std::vector<double>(covariance.begin(), covariance.end()),
        std::vector<double>(log_alpha.row(row).begin(), log_alpha.row(row).end()));
    ASSERT_TRUE(expected.has_value());
    EXPECT_NEAR(gauge.divergence.data()[row], *expected, 1e-4 * (1.0 + *expected));
  }
  // Without variance in the plane there is no density.
  const LogitGaussians still{Array<float>::zeros({1, 3}),
                             DiagonalCovariance{Array<float>::zeros({1, 3})}};
  const std::vector<std::int64_t> id{0};
  EXPECT_TRUE(std::isnan(
      honestyGauge(still, id, BridgeVariant::kRaw, 10, 0, RunContext()).divergence.data()[0]));
}

TEST(HonestyKernel, ASampledGaugeIsThatOfItsItems) {
  constexpr std::int64_t kItems = 400;
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < kItems; ++i) {
    ids.push_back(i * 1'000'000'007);
  }
  for (const LogitGaussians& gaussians : {test::randomDiagonal(kItems, 3, 2.0F, 2.0F, 3),
                                          test::randomFactored(kItems, 3, 2, true, 2.0F, 3),
                                          test::randomFull(kItems, 4, 3, 2.0F, 3)}) {
    const HonestyGauge all =
        honestyGauge(gaussians, ids, BridgeVariant::kCentred, 20, 8, RunContext());
    const HonestyGauge some =
        sampledHonestyGauge(gaussians, ids, BridgeVariant::kCentred, 20, 0.25, 8, RunContext());
    const bool of_three = gaussians.mean.extent(1) == 3;
    ASSERT_EQ(some.divergence.size(), of_three ? kItems : 0);
    int gauged = 0;
    for (std::int64_t row = 0; row < kItems; ++row) {
      const bool is_gauged = isGauged(8, ids[static_cast<std::size_t>(row)], 0.25);
      gauged += is_gauged ? 1 : 0;
      ASSERT_EQ(std::isnan(some.bridge.data()[row]), !is_gauged);
      if (is_gauged) {
        EXPECT_EQ(some.bridge.data()[row], all.bridge.data()[row]);
        EXPECT_EQ(some.probit.data()[row], all.probit.data()[row]);
      }
      if (of_three && is_gauged) {
        EXPECT_EQ(some.divergence.data()[row], all.divergence.data()[row]);
      }
    }
    EXPECT_NEAR(gauged, 100, 45);
  }
  const LogitGaussians few = test::randomDiagonal(2, 3, 2.0F, 2.0F, 3);
  const std::vector<std::int64_t> two{1, 2};
  const HonestyGauge none =
      sampledHonestyGauge(few, two, BridgeVariant::kCentred, 20, 1e-9, 8, RunContext());
  EXPECT_TRUE(std::isnan(none.bridge.data()[0]) && std::isnan(none.divergence.data()[1]));
}

TEST(HonestyKernel, TheSampleIsAFunctionOfSeedAndId) {
  int same = 0;
  for (std::int64_t id = 0; id < 2000; ++id) {
    EXPECT_EQ(isGauged(1, id, 0.5), isGauged(1, id, 0.5));
    EXPECT_TRUE(isGauged(1, id, 1.0));
    // What a smaller share holds a larger one holds too.
    EXPECT_TRUE(!isGauged(1, id, 0.2) || isGauged(1, id, 0.5));
    same += isGauged(1, id, 0.5) == isGauged(2, id, 0.5) ? 1 : 0;
  }
  EXPECT_NEAR(same, 1000, 120);
}

TEST(SimplexHistogram, CountsEveryDrawInItsTriangle) {
  // Two parts a side: the lower triangle at every corner, the upper one in the middle.
  const auto probs = Array<float>::fromVector(
      {6, 4}, {0.8F,  0.1F,  0.0F, 0.1F,  0.1F, 0.8F, 0.0F, 0.1F, 0.1F, 0.1F, 0.0F, 0.8F,  //
               0.34F, 0.33F, 0.0F, 0.33F, 0.0F, 0.0F, 1.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F});
  const SimplexHistogram histogram = simplexHistogram(probs, {0, 1, 3}, 2);
  ASSERT_EQ(histogram.counts.shape(), (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(histogram.samples, 5);  // one has nothing of the three
  const std::vector<std::int64_t> expected{1, 1, 1, 0, 2, 0, 0, 0};
  EXPECT_TRUE(std::ranges::equal(histogram.counts.values(), expected));
}

// Of a flat density every triangle gets the same share.
TEST(SimplexHistogram, AFlatDensityFillsAllTrianglesAlike) {
  const std::int64_t side = 300;
  const std::int64_t resolution = 6;
  std::vector<float> rows;
  for (std::int64_t i = 0; i < side; ++i) {
    for (std::int64_t j = 0; i + j < side; ++j) {
      const float x = (static_cast<float>(i) + 0.3F) / static_cast<float>(side);
      const float y = (static_cast<float>(j) + 0.3F) / static_cast<float>(side);
      rows.insert(rows.end(), {x, y, 1.0F - x - y});
    }
  }
  const auto count = static_cast<std::int64_t>(rows.size() / 3);
  const SimplexHistogram histogram = simplexHistogram(
      Array<float>::fromVector({count, 3}, std::move(rows)), {0, 1, 2}, resolution);
  EXPECT_EQ(histogram.samples, count);
  int triangles = 0;
  const double share = static_cast<double>(count) / (resolution * resolution);
  for (std::int64_t i = 0; i < resolution; ++i) {
    for (std::int64_t j = 0; j < resolution; ++j) {
      for (std::int64_t upper = 0; upper < 2; ++upper) {
        const std::int64_t of_cell =
            histogram.counts.row(i)[static_cast<std::size_t>(2 * j + upper)];
        const bool exists = i + j + upper <= resolution - 1;
        triangles += exists ? 1 : 0;
        EXPECT_NEAR(static_cast<double>(of_cell), exists ? share : 0.0, 0.05 * share)
            << i << " " << j << " " << upper;
      }
    }
  }
  EXPECT_EQ(triangles, resolution * resolution);
}

TEST(SimplexHistogram, CountsTheDrawsOfItsItem) {
  const LogitGaussians gaussians = test::randomDiagonal(3, 5, 1.0F, 2.0F, 5);
  const SimplexHistogram drawn = simplexHistogram(gaussians, 1, 77, {4, 0, 2}, 8, 999, 3);
  const SimplexHistogram counted =
      simplexHistogram(logitNormalSamples(gaussians, 1, 77, 999, 3), {4, 0, 2}, 8);
  EXPECT_TRUE(std::ranges::equal(drawn.counts.values(), counted.counts.values()));
  EXPECT_EQ(drawn.samples, 999);
}

TEST(SimplexHistogram, RefusesWhatIsNoTriangle) {
  const Array<float> probs = Array<float>::zeros({2, 4});
  for (const std::array<std::int64_t, 3>& classes :
       {std::array<std::int64_t, 3>{0, 1, 1}, {0, 1, 4}, {-1, 1, 2}}) {
    EXPECT_THROW(static_cast<void>(simplexHistogram(probs, classes, 4)), std::invalid_argument);
  }
  for (const std::int64_t resolution : {0, 5000}) {
    EXPECT_THROW(static_cast<void>(simplexHistogram(probs, {0, 1, 2}, resolution)),
                 std::invalid_argument);
  }
  EXPECT_EQ(simplexHistogram(Array<float>::zeros({0, 3}), {0, 1, 2}, 4).samples, 0);
}

}  // namespace
}  // namespace dubito
