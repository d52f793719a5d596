// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/work_estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "core/io/run_arrays.h"
#include "core/runs/run_shape.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::ListDataset;
using test::loadFixture;
using test::madeImages;

struct WorkEstimateTest : ::testing::Test {
  ModelPtr model = loadFixture("scripted.pt");
  std::shared_ptr<ListDataset> images = std::make_shared<ListDataset>(madeImages(300, 28));
  RunContext context;

  WorkEstimate of(const MethodOptions& method, const PredictOptions& options = {}) {
    const auto estimate = estimateWork(*model, {images}, method, {}, options, context);
    EXPECT_OK(estimate);
    return estimate.value_or(WorkEstimate());
  }
};

std::int64_t bytesOf(const dubito::Run& run) {
  std::int64_t bytes = 0;
  for (const NamedArray& array : arraysOf(run)) {
    bytes += std::visit(
        [](const auto& a) { return a.size() * static_cast<std::int64_t>(sizeof(*a.data())); },
        array.values);
  }
  return bytes;
}

TEST_F(WorkEstimateTest, TellsTheBytesOfTheRunExactly) {
  McDropoutOptions dropout;
  dropout.draws = 7;
  for (const MethodOptions& method : {MethodOptions(MapOptions{}), MethodOptions(dropout)}) {
    for (const std::int64_t keep : {0, 1024}) {
      const PredictOptions options{.batch = 64, .keep_samples_mb = keep};
      const auto run = predict(*model, *images, method, options, context);
      ASSERT_TRUE(run);
      EXPECT_EQ(of(method, options).result_bytes, bytesOf(*run)) << methodName(method) << keep;
    }
  }
}

/// A dataset that takes its time: what a pass costs is known.
class SlowDataset : public ListDataset {
 public:
  using ListDataset::ListDataset;
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return ListDataset::read(index);
  }
};

/// Far apart, so that a busy machine does not matter: a wrong divisor or a forgotten factor does.
TEST_F(WorkEstimateTest, ReckonsWithAllItems) {
  for (const std::int64_t items : {2, 5, 40}) {
    ListDataset made = madeImages(items, 28);
    const auto slow = std::make_shared<SlowDataset>(
        made.samples(), std::vector<std::int64_t>(made.ids().begin(), made.ids().end()),
        made.itemLabels());
    context.threads = 1;
    const auto estimate = estimateWork(*model, {slow}, MapOptions{}, {}, {}, context);
    ASSERT_OK(estimate);
    EXPECT_GT(estimate->seconds, 0.5 * 0.02 * static_cast<double>(items)) << items;
    EXPECT_LT(estimate->seconds, 20.0 * 0.02 * static_cast<double>(items)) << items;
  }
}

/// A dataset that is slow to start and fast from then on, as networks are that compile themselves.
class LateDataset : public ListDataset {
 public:
  using ListDataset::ListDataset;
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    const int number = reads_++;
    std::this_thread::sleep_for(std::chrono::microseconds(number < 12 ? 100'000 : 500));
    return ListDataset::read(index);
  }

 private:
  mutable std::atomic<int> reads_ = 0;
};

/// A dataset that waits once, in the midst of the reads.
class HaltingDataset : public ListDataset {
 public:
  static constexpr int kHaltAt = 40;

  using ListDataset::ListDataset;
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    if (++reads_ == kHaltAt) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    }
    return ListDataset::read(index);
  }
  [[nodiscard]] int reads() const { return reads_; }

 private:
  mutable std::atomic<int> reads_ = 0;
};

/// Every other item is slow to read.
class UnevenDataset : public ListDataset {
 public:
  using ListDataset::ListDataset;
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(index % 2 == 0 ? 200 : 0));
    return ListDataset::read(index);
  }
};

/// The mean of times that differ by orders of magnitude predicts nothing.
TEST_F(WorkEstimateTest, GivesNoTimeIfBatchesDifferTooMuch) {
  ListDataset made = madeImages(400, 28);
  const auto uneven = std::make_shared<UnevenDataset>(
      made.samples(), std::vector<std::int64_t>(made.ids().begin(), made.ids().end()),
      made.itemLabels());
  context.threads = 1;
  const auto estimate = estimateWork(*model, {uneven}, MapOptions{}, {}, {.batch = 1}, context);
  ASSERT_OK(estimate);
  EXPECT_FALSE(estimate->knows_time);
  EXPECT_EQ(estimate->seconds_high, 0.0);
  EXPECT_GT(estimate->peak_bytes, 0);
}

/// What is done once must not be counted for every item: 2000 items take 1 s and not minutes.
TEST_F(WorkEstimateTest, DoesNotExtrapolateTheStart) {
  ListDataset made = madeImages(2000, 28);
  const auto late = std::make_shared<LateDataset>(
      made.samples(), std::vector<std::int64_t>(made.ids().begin(), made.ids().end()),
      made.itemLabels());
  context.threads = 1;
  const auto estimate = estimateWork(*model, {late}, MapOptions{}, {}, {}, context);
  ASSERT_OK(estimate);
  EXPECT_TRUE(estimate->knows_time);
  EXPECT_LT(estimate->seconds, 10.0);
  EXPECT_LE(estimate->seconds_low, estimate->seconds);
  EXPECT_GE(estimate->seconds_high, estimate->seconds);
}

/// How long it takes is a benchmark's business; here only that there is an answer for each method.
TEST_F(WorkEstimateTest, AnswersForEveryMethod) {
  for (const MethodDescription& method : allMethods()) {
    const double seconds = of(method.defaults).seconds;
    EXPECT_TRUE(std::isfinite(seconds)) << method.name;
    EXPECT_GE(seconds, 0.0) << method.name;
  }
}

/// Far apart again: a gauge of so many draws takes seconds, none takes nothing.
TEST_F(WorkEstimateTest, CountsTheDrawsOfLogits) {
  LaplaceOptions method;
  method.link = "probit";
  method.gauge = 0;
  const double plain = of(method).seconds;
  method.gauge = 1'000'000;
  const double gauged = of(method).seconds;
  EXPECT_GT(gauged, plain + 0.1);
  method.link = "mc";
  method.gauge = 0;
  method.samples = 1'000'000;
  EXPECT_GT(of(method).seconds, plain + 0.1);
  // That draws of link and gauge are made once is tested by the plan of the gauge.
}

TEST_F(WorkEstimateTest, PassesOnAMomentInWhichTheMachineDoesSomethingElse) {
  // Reads of the third fit, the first to 64 items: the two before it take 8 each.
  ListDataset made = madeImages(2000, 28);
  const auto halting = std::make_shared<HaltingDataset>(
      made.samples(), std::vector<std::int64_t>(made.ids().begin(), made.ids().end()),
      made.itemLabels());
  MethodData data;
  data.fit = halting;
  LaplaceOptions method;
  method.gauge = 0;
  const auto estimate = estimateWork(*model, {images}, method, data, {}, context);
  ASSERT_OK(estimate);
  EXPECT_GE(halting->reads(), HaltingDataset::kHaltAt);
  EXPECT_TRUE(estimate->knows_time);
  // 1.2 s for 64 items would be 37 s for all of them.
  EXPECT_LT(estimate->seconds, 12.0);
}

TEST(WorkEstimate, CountsOtherWorkInIfTheTimeIsKnown) {
  WorkEstimate known;
  known.seconds = 2.0;
  known.seconds_low = 1.0;
  known.seconds_high = 4.0;
  addSeconds(known, 0.5);
  EXPECT_EQ(known.seconds, 2.5);
  EXPECT_EQ(known.seconds_low, 1.5);
  EXPECT_EQ(known.seconds_high, 4.5);
  WorkEstimate unknown;
  unknown.knows_time = false;
  addSeconds(unknown, 0.5);
  EXPECT_EQ(unknown.seconds, 0.0);
}

TEST_F(WorkEstimateTest, PassesOverItemsThatCannotBeRead) {
  for (std::int64_t i = 0; i < 40; ++i) {
    images->breakItem(i);
  }
  EXPECT_GE(of(MapOptions{}).seconds, 0.0);  // `of` wants an answer
  for (std::int64_t i = 40; i < images->size(); ++i) {
    images->breakItem(i);
  }
  const auto none = estimateWork(*model, {images}, MapOptions{}, {}, {}, context);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kMalformed);
}

TEST_F(WorkEstimateTest, CanBeCancelled) {
  context.control()->requestCancel();
  const auto estimate = estimateWork(*model, {images}, MapOptions{}, {}, {}, context);
  ASSERT_FALSE(estimate);
  EXPECT_EQ(estimate.error().code, ErrorCode::kCancelled);
}

TEST(RunShapeTest, CountsTheColumnsOfGaussians) {
  const ModelPtr model = loadFixture("scripted.pt");
  LaplaceOptions laplace;
  const std::int64_t with_gauge = runShape(laplace, *model, false).bytesPerItem();
  laplace.gauge = 0;
  const std::int64_t without = runShape(laplace, *model, false).bytesPerItem();
  EXPECT_EQ(with_gauge - without, 2 * 8);
  laplace.link = "probit";
  // Neither a split of the entropy nor alpha.
  EXPECT_EQ(without - runShape(laplace, *model, false).bytesPerItem(), 2 * 8 + 10 * 8);
}

WorkEstimate made(double low, double high, std::int64_t peak, std::int64_t results) {
  WorkEstimate estimate;
  estimate.seconds = std::sqrt(low * high);
  estimate.seconds_low = low;
  estimate.seconds_high = high;
  estimate.peak_bytes = peak;
  estimate.result_bytes = results;
  return estimate;
}

TEST(WorkEstimate, IsToldInWords) {
  EXPECT_EQ(describe(made(0.2, 0.6, 400'000'000, 12'000)),
            "less than 1 s, up to 400 MB of memory, 12 kB of results");
  EXPECT_EQ(describe(made(8.2, 19.6, 1'250'000'000, 340'000'000)),
            "8 to 20 s, up to 1.25 GB of memory, 340 MB of results");
  EXPECT_EQ(describe(made(90.0, 240.0, 1'250'000'000, 999)),
            "2 to 4 min, up to 1.25 GB of memory, 999 bytes of results");
  EXPECT_EQ(describe(made(7200.0, 36'000.0, 0, 0)),
            "2 to 10 h, up to 0 bytes of memory, 0 bytes of results");
  EXPECT_EQ(describe(made(30.1, 30.4, 0, 0)),
            "about 30 s, up to 0 bytes of memory, 0 bytes of results");
  EXPECT_EQ(describe(made(9.7, 14.0, 0, 0)),
            "10 to 14 s, up to 0 bytes of memory, 0 bytes of results");
  WorkEstimate unknown = made(1, 2, 5'000'000, 4'000);
  unknown.knows_time = false;
  EXPECT_EQ(describe(unknown), "unknown time, up to 5 MB of memory, 4 kB of results");
}

}  // namespace
}  // namespace dubito
