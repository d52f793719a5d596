// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/seed_bootstrap.h"

#include <cmath>
#include <random>

#include "core/metrics/percentile.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

BootstrappedMean bootstrapped(const std::vector<double>& values, std::int64_t seeds,
                              std::int64_t replicates = 4000) {
  const RunContext context;
  const std::vector<std::vector<double>> metrics{values};
  const auto results = bootstrapOverSeeds(
      metrics, seeds, static_cast<std::int64_t>(values.size()) / seeds, replicates, 3, context);
  EXPECT_OK(results);
  return results ? results->front() : BootstrappedMean();
}

/// value[s, i] = mean + seed effect + item effect.
std::vector<double> crossed(std::int64_t seeds, std::int64_t items, double mean, double seed_sd,
                            double item_sd, unsigned random_seed) {
  std::mt19937_64 random(random_seed);
  std::normal_distribution<double> normal;
  std::vector<double> of_items;
  for (std::int64_t i = 0; i < items; ++i) {
    of_items.push_back(item_sd * normal(random));
  }
  std::vector<double> values;
  for (std::int64_t s = 0; s < seeds; ++s) {
    const double of_seed = seed_sd * normal(random);
    for (const double of_item : of_items) {
      values.push_back(mean + of_seed + of_item);
    }
  }
  return values;
}

double variance(const std::vector<double>& values) {
  double sum = 0.0;
  double squares = 0.0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(values.size());
  return squares / n - sum * sum / n / n;
}

TEST(SeedBootstrap, OneSeedGivesTheUsualStandardError) {
  const std::vector<double> values = crossed(1, 400, 0.2, 0.0, 1.0, 5);
  const BootstrappedMean result = bootstrapped(values, 1);
  double mean = 0.0;
  for (const double value : values) {
    mean += value / 400.0;
  }
  EXPECT_NEAR(result.mean, mean, 1e-12);
  // 4 standard deviations of a percentile at 4000 replicates are 6 % of the half width.
  const double reach = 1.959964 * std::sqrt(variance(values) / 400.0);
  EXPECT_NEAR(result.interval.high - result.mean, reach, 0.07 * reach);
  EXPECT_NEAR(result.mean - result.interval.low, reach, 0.07 * reach);
}

TEST(SeedBootstrap, TheVarianceIsThatOfSeedsAndItems) {
  // With additive effects the variance of a replicate is var_seeds / S + var_items / N exactly.
  const std::int64_t seeds = 40;
  const std::int64_t items = 300;
  const std::vector<double> values = crossed(seeds, items, 0.0, 0.5, 1.0, 9);
  std::vector<double> of_seeds(static_cast<std::size_t>(seeds), 0.0);
  std::vector<double> of_items(static_cast<std::size_t>(items), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) {
    of_seeds[k / 300] += values[k] / 300.0;
    of_items[k % 300] += values[k] / 40.0;
  }
  const double deviation = std::sqrt(variance(of_seeds) / 40.0 + variance(of_items) / 300.0);
  const BootstrappedMean result = bootstrapped(values, seeds);
  EXPECT_NEAR(0.5 * (result.interval.high - result.interval.low), 1.959964 * deviation,
              0.07 * 1.96 * deviation);
  // Items alone would be certain of far more.
  EXPECT_GT(deviation, 1.3 * std::sqrt(variance(of_items) / 300.0));
}

TEST(SeedBootstrap, TheProbabilityIsThatOfTheOtherSide) {
  // A mean of z standard errors has p = 2 Phi(-z).
  std::vector<double> values = crossed(1, 500, 0.0, 0.0, 1.0, 2);
  double mean = 0.0;
  for (const double value : values) {
    mean += value / 500.0;
  }
  const double error = std::sqrt(variance(values) / 500.0);
  for (const double z : {0.5, 1.5, 2.5}) {
    std::vector<double> moved = values;
    for (double& value : moved) {
      value += z * error - mean;
    }
    const double expected = std::erfc(z / std::sqrt(2.0));
    EXPECT_NEAR(bootstrapped(moved, 1).p, expected, 4.0 * std::sqrt(expected / 2000.0));
  }
  EXPECT_EQ(bootstrapped(std::vector<double>(50, 0.0), 1).p, 1.0);
  EXPECT_NEAR(bootstrapped(std::vector<double>(50, 0.1), 2).p, 2.0 / 4001.0, 1e-12);
}

TEST(SeedBootstrap, MetricsAreResampledAlike) {
  const RunContext context;
  const std::vector<double> first = crossed(3, 60, 0.1, 0.2, 1.0, 4);
  std::vector<double> second = first;
  for (double& value : second) {
    value = -2.0 * value;
  }
  const std::vector<std::vector<double>> metrics{first, second};
  const auto results = bootstrapOverSeeds(metrics, 3, 60, 500, 1, context);
  ASSERT_OK(results);
  EXPECT_NEAR((*results)[1].interval.low, -2.0 * (*results)[0].interval.high, 1e-12);
  EXPECT_EQ((*results)[1].p, (*results)[0].p);
}

TEST(SeedBootstrap, RefusesSizesThatDoNotFitAndStops) {
  RunContext context;
  const std::vector<std::vector<double>> metrics{std::vector<double>(6)};
  EXPECT_THROW((void)bootstrapOverSeeds(metrics, 2, 4, 10, 1, context), std::invalid_argument);
  EXPECT_THROW((void)bootstrapOverSeeds(metrics, 0, 6, 10, 1, context), std::invalid_argument);
  EXPECT_THROW((void)bootstrapOverSeeds(metrics, 2, 3, 0, 1, context), std::invalid_argument);
  context.control()->requestCancel();
  const auto stopped = bootstrapOverSeeds(metrics, 2, 3, 10, 1, context);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
