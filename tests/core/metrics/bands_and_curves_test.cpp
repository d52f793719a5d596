// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "core/metrics/across_seeds.h"
#include "core/metrics/bootstrap_band.h"
#include "core/metrics/reliability_diagram.h"
#include "core/metrics/thin_curve.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

ReliabilityDiagram exampleDiagram() {
  std::vector<double> confidence;
  std::vector<std::uint8_t> correct;
  for (int i = 0; i < 1000; ++i) {
    confidence.push_back(i % 10 == 0 ? 0.35 : 0.9);
    correct.push_back(i % 10 == 0 ? (i % 20 == 0 ? 1 : 0) : (i % 3 != 0 ? 1 : 0));
  }
  return equalWidthReliability(confidence, correct, 10);
}

TEST(BootstrapBand, IsAsWideAsTheStandardErrorOfEachBin) {
  const ReliabilityDiagram diagram = exampleDiagram();
  const std::vector<Interval> band = bootstrapBand(diagram, {.replicates = 4000, .seed = 3});
  ASSERT_EQ(band.size(), diagram.bins.size());
  for (std::size_t j = 0; j < band.size(); ++j) {
    const ReliabilityBin& bin = diagram.bins[j];
    if (bin.count == 0) {
      EXPECT_TRUE(std::isnan(band[j].low) && std::isnan(band[j].high));
      continue;
    }
    const double error =
        std::sqrt(bin.accuracy * (1.0 - bin.accuracy) / static_cast<double>(bin.count));
    EXPECT_TRUE(closeTo(band[j].low, bin.accuracy - 1.96 * error, 0.0, 0.2 * error)) << j;
    EXPECT_TRUE(closeTo(band[j].high, bin.accuracy + 1.96 * error, 0.0, 0.2 * error)) << j;
  }
}

TEST(BootstrapBand, RepeatsWithItsSeedAlone) {
  const ReliabilityDiagram diagram = exampleDiagram();
  const auto lowOfBin8 = [&](std::uint64_t seed) {
    return bootstrapBand(diagram, {.replicates = 101, .seed = seed})[8].low;
  };
  EXPECT_EQ(lowOfBin8(5), lowOfBin8(5));
  EXPECT_NE(lowOfBin8(5), lowOfBin8(6));
}

TEST(BootstrapBand, CertainBinsHaveNoWidth) {
  const ReliabilityDiagram diagram = equalWidthReliability(std::vector<double>{0.95, 0.99, 0.2},
                                                           std::vector<std::uint8_t>{1, 1, 0}, 10);
  const std::vector<Interval> band = bootstrapBand(diagram, {});
  EXPECT_EQ(band[9].low, 1.0);
  EXPECT_EQ(band[9].high, 1.0);
  EXPECT_EQ(band[1].high, 0.0);
  EXPECT_THROW(static_cast<void>(bootstrapBand(diagram, {.replicates = 0})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(bootstrapBand(diagram, {.coverage = 1.0})), std::invalid_argument);
}

TEST(SeedStatistics, AreMeanAndSampleDeviation) {
  const SeedStatistics statistics = seedStatistics(std::vector<double>{0.57, 0.60, 0.627});
  EXPECT_EQ(statistics.n, 3);
  EXPECT_TRUE(closeTo(statistics.mean, 1.797 / 3.0, 1e-14));
  EXPECT_TRUE(closeTo(statistics.std_dev,
                      std::sqrt((0.029 * 0.029 + 0.001 * 0.001 + 0.028 * 0.028) / 2.0), 1e-12));
  EXPECT_EQ(formatSeedStatistics({3, 0.5991, 0.02289}), "0.599 +- 0.023");
  EXPECT_EQ(formatSeedStatistics(seedStatistics(std::vector<double>{0.25})), "0.250");
  EXPECT_TRUE(std::isnan(seedStatistics({}).mean));
}

TEST(SeedStatistics, CoverEveryMetricOfTheEvaluations) {
  std::vector<Evaluation> evaluations(3);
  for (std::size_t i = 0; i < 3; ++i) {
    evaluations[i].accuracy = 0.5 + 0.1 * static_cast<double>(i);
    evaluations[i].misclassified["entropy"].rank.auroc = 0.8;
  }
  evaluations[0].nll = 1.0;
  const nlohmann::json statistics = seedsToJson(evaluations);
  EXPECT_TRUE(closeTo(statistics.at("accuracy").at("mean").get<double>(), 0.6, 1e-14));
  EXPECT_TRUE(closeTo(statistics.at("accuracy").at("std_dev").get<double>(), 0.1, 1e-12));
  EXPECT_EQ(statistics.at("misclassified").at("entropy").at("auroc").at("n"), 3);
  EXPECT_EQ(statistics.at("nll").at("n"), 1);
  EXPECT_FALSE(statistics.contains("brier"));
}

/// Largest vertical distance of the points of `curve` from the lines of `drawn` (x ascending).
double largestGap(const Curve& curve, const Curve& drawn) {
  double gap = 0.0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    double nearest = 1.0;
    for (std::size_t j = 1; j < drawn.x.size(); ++j) {
      const double dx = drawn.x[j] - drawn.x[j - 1];
      const double dy = drawn.y[j] - drawn.y[j - 1];
      const double length = dx * dx + dy * dy;
      const double t = length > 0.0 ? std::clamp(((curve.x[i] - drawn.x[j - 1]) * dx +
                                                  (curve.y[i] - drawn.y[j - 1]) * dy) /
                                                     length,
                                                 0.0, 1.0)
                                    : 0.0;
      nearest = std::min(nearest, std::hypot(curve.x[i] - drawn.x[j - 1] - t * dx,
                                             curve.y[i] - drawn.y[j - 1] - t * dy));
    }
    gap = std::max(gap, nearest);
  }
  return gap;
}

TEST(ThinCurve, LosesNoShape) {
  Curve curve;
  curve.name = "entropy";
  curve.summary = 0.9;
  std::mt19937_64 random(2);
  double x = 0.0;
  double y = 0.0;
  for (int i = 0; i < 4000; ++i) {
    curve.x.push_back(x);
    curve.y.push_back(y);
    (random() % 5 == 0 ? x : y) += 1.0 / 4000.0;
  }
  const Curve drawn = thinCurve(curve, 300);
  EXPECT_LE(drawn.x.size(), 300U);
  EXPECT_EQ(drawn.x.size(), drawn.y.size());
  EXPECT_EQ(drawn.x.front(), curve.x.front());
  EXPECT_EQ(drawn.y.back(), curve.y.back());
  EXPECT_EQ(drawn.name, "entropy");
  EXPECT_EQ(drawn.summary, 0.9);
  EXPECT_LT(largestGap(curve, drawn), 2e-3);
}

TEST(ThinCurve, FindsACornerAmongThousandsOfPoints) {
  Curve curve;
  constexpr int kCorner = 37;
  for (int i = 0; i <= 5000; ++i) {
    curve.x.push_back(i <= kCorner ? 0.0 : static_cast<double>(i - kCorner) / (5000.0 - kCorner));
    curve.y.push_back(i <= kCorner ? static_cast<double>(i) / kCorner : 1.0);
  }
  const Curve drawn = thinCurve(curve, 100);
  EXPECT_EQ(drawn.x, (std::vector<double>{0.0, 0.0, 1.0}));
  EXPECT_EQ(drawn.y, (std::vector<double>{0.0, 1.0, 1.0}));
}

TEST(ThinCurve, AStraightLineNeedsItsEndsAlone) {
  Curve curve;
  for (int i = 0; i <= 100; ++i) {
    curve.x.push_back(0.01 * i);
    curve.y.push_back(0.02 * i);
  }
  EXPECT_EQ(thinCurve(curve, 50).x.size(), 2U);
  EXPECT_EQ(thinCurve(Curve{}, 50).x.size(), 0U);
  EXPECT_THROW(static_cast<void>(thinCurve(curve, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
