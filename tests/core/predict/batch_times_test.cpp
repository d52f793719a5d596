// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates from given times: a timer of known cost takes the place of a clock.
#include "core/predict/batch_times.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// A batch of n items takes 10 ms + n 1 ms; the first of a series takes `start` longer. Records the
/// sizes that were timed.
struct KnownCost {
  double start = 0.0;
  std::vector<std::int64_t> sizes;

  [[nodiscard]] BatchTimer timer() {
    return [this](std::int64_t items, std::int64_t count) -> Expected<BatchTimes> {
      sizes.push_back(items);
      std::vector<double> seconds(static_cast<std::size_t>(count),
                                  0.01 + 0.001 * static_cast<double>(items));
      seconds.front() += start;
      return separateStart(items, 0.0, std::move(seconds));
    };
  }
};

TEST(BatchTimes, TheFirstBatchIsTheStart) {
  const BatchTimes times = separateStart(8, 2.0, {5.0, 1.0, 1.5});
  EXPECT_EQ(times.items, 8);
  EXPECT_EQ(times.batches, (std::vector<double>{1.0, 1.5}));
  EXPECT_EQ(times.mean(), 1.25);
  EXPECT_EQ(times.once, 2.0 + 5.0 - 1.25);
}

TEST(BatchTimes, AFastFirstBatchTakesNothingOffTheSetup) {
  const BatchTimes times = separateStart(8, 2.0, {0.5, 1.0});
  EXPECT_EQ(times.batches, std::vector<double>{1.0});
  EXPECT_EQ(times.once, 2.0);
}

TEST(BatchTimes, TheOnlyBatchCounts) {
  const BatchTimes times = separateStart(8, 2.0, {5.0});
  EXPECT_EQ(times.batches, std::vector<double>{5.0});
  EXPECT_EQ(times.once, 2.0);
}

/// 1000 items in batches of 100 are ten of 0.11 s. One at a time would take 11 s.
TEST(BatchTimes, BatchesOfTheRunAreTimed) {
  KnownCost cost;
  const auto seconds = timeBatches(cost.timer(), 1000, 100);
  ASSERT_OK(seconds);
  EXPECT_EQ(cost.sizes.front(), 1);
  EXPECT_EQ(cost.sizes.back(), 100);
  EXPECT_NEAR(seconds->low, 1.1, 1e-9);
  EXPECT_NEAR(seconds->mean, 1.1, 1e-9);
  EXPECT_NEAR(seconds->high, 1.1, 1e-9);
}

/// A batch of 5000 takes 5.01 s: smaller ones show what an item and a batch cost.
TEST(BatchTimes, LargeBatchesAreExtrapolated) {
  KnownCost cost;
  const auto seconds = timeBatches(cost.timer(), 10'000, 5000);
  ASSERT_OK(seconds);
  const auto timed = static_cast<double>(cost.sizes.back());
  EXPECT_GE(timed, 140.0);
  EXPECT_LT(timed, 1000.0);
  EXPECT_NEAR(seconds->mean, 2 * 5.01, 1e-9);
  EXPECT_NEAR(seconds->high, 10'000 * (0.01 / timed + 0.001), 1e-9);
}

TEST(BatchTimes, TheStartCountsOnce) {
  KnownCost cost;
  cost.start = 3.0;
  const auto seconds = timeBatches(cost.timer(), 1000, 100);
  ASSERT_OK(seconds);
  EXPECT_NEAR(seconds->low, 1.1, 1e-9);
  EXPECT_NEAR(seconds->mean, 4.1, 1e-9);
  EXPECT_NEAR(seconds->high, 4.1, 1e-9);
}

TEST(BatchTimes, TheRangeIsThatOfTheFastAndTheSlowHalf) {
  const auto seconds = timeBatches(
      [](std::int64_t items, std::int64_t /*count*/) -> Expected<BatchTimes> {
        return BatchTimes{items, 0.0, {0.4, 0.2, 0.3, 0.7}};
      },
      10, 1);
  ASSERT_OK(seconds);
  EXPECT_NEAR(seconds->low, 10 * 0.25, 1e-9);
  EXPECT_NEAR(seconds->mean, 10 * 0.4, 1e-9);
  EXPECT_NEAR(seconds->high, 10 * 0.55, 1e-9);
}

TEST(BatchTimes, ErrorsOfTheTimerArePassedOn) {
  const auto failed = timeBatches(
      [](std::int64_t items, std::int64_t /*count*/) -> Expected<BatchTimes> {
        return items == 1 ? Expected<BatchTimes>(BatchTimes{1, 0.0, {0.01}})
                          : Expected<BatchTimes>(fail(ErrorCode::kCancelled, "cancelled"));
      },
      10, 10);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
