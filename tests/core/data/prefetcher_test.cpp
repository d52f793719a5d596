// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/prefetcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "tests/core/data/items.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using namespace std::chrono_literals;
using test::asStored;
using test::PatchyDataset;
using test::valuesOf;

using Clock = std::chrono::steady_clock;

RunContext contextOf(int threads) {
  RunContext context;
  context.threads = threads;
  return context;
}

/// Numbers of one pixel whose reading is watched and can be made slow or faulty.
class WatchedDataset : public PatchyDataset {
 public:
  explicit WatchedDataset(std::int64_t count)
      : PatchyDataset(std::vector<std::int64_t>(static_cast<std::size_t>(count), 1)) {}

  Expected<Sample> read(std::int64_t index) const override {
    ++reads_;
    if (index == throws_at) {
      throw std::runtime_error("the disk is on fire");
    }
    for (const auto until = Clock::now() + delay; Clock::now() < until;) {
      std::this_thread::sleep_for(1ms);
    }
    for (const auto until = Clock::now() + 10s; is_held;) {
      std::this_thread::sleep_for(1ms);
      if (Clock::now() >= until) {
        is_held = false;  // nobody was woken
      }
    }
    if (index == wide_at) {
      return Sample(test::image(1, 2, 1, {0, 0}));
    }
    return PatchyDataset::read(index);
  }
  /// How many items were read, once `expected` are, or after long, and nothing more happens.
  std::int64_t readsAround(std::int64_t expected) const {
    for (const auto until = Clock::now() + 10s; reads_ < expected && Clock::now() < until;) {
      std::this_thread::sleep_for(1ms);
    }
    std::this_thread::sleep_for(50ms);
    return reads_;
  }

  std::int64_t throws_at = -1;
  std::int64_t wide_at = -1;
  std::chrono::milliseconds delay{0};
  /// Reading waits until it is not, or for ten seconds.
  mutable std::atomic<bool> is_held{false};

 private:
  mutable std::atomic<std::int64_t> reads_{0};
};

TEST(BatchPlan, CutsRangesAndListsIntoBatches) {
  using Indices = std::vector<std::int64_t>;
  const BatchPlan plan = BatchPlan::ofRange(3, 10, 3);
  EXPECT_EQ(plan.itemCount(), 7);
  ASSERT_EQ(plan.batchCount(), 3);
  EXPECT_EQ(plan.indicesOf(0), (Indices{3, 4, 5}));
  EXPECT_EQ(plan.indicesOf(2), (Indices{9}));
  const BatchPlan list = BatchPlan::ofItems({7, 1, 5, 3}, 2);
  ASSERT_EQ(list.batchCount(), 2);
  EXPECT_EQ(list.indicesOf(1), (Indices{5, 3}));
  EXPECT_EQ(BatchPlan::ofRange(5, 5, 2).batchCount(), 0);
  EXPECT_EQ(BatchPlan::ofItems({}, 2).batchCount(), 0);
  EXPECT_THROW((void)list.indicesOf(2), std::out_of_range);
  EXPECT_THROW((void)BatchPlan::ofRange(0, 5, 0), std::invalid_argument);
  EXPECT_THROW((void)BatchPlan::ofRange(-1, 5, 1), std::invalid_argument);
}

TEST(Prefetcher, GivesWhatLoadBatchGivesInTheOrderOfThePlan) {
  std::vector<std::int64_t> widths(101, 2);
  widths[7] = 0;
  const PatchyDataset dataset(widths);
  std::vector<std::int64_t> backwards(101);
  std::iota(backwards.rbegin(), backwards.rend(), std::int64_t{0});
  for (const int threads : {1, 2, 4}) {
    const RunContext context = contextOf(threads);
    const BatchPlan plan = BatchPlan::ofItems(backwards, 8);
    Prefetcher prefetcher(dataset, plan, asStored(), context);
    for (std::int64_t number = 0; number < plan.batchCount(); ++number) {
      ASSERT_EQ(prefetcher.remaining(), plan.batchCount() - number);
      const auto batch = prefetcher.next();
      const auto expected = loadBatch(dataset, plan.indicesOf(number), asStored(), context);
      ASSERT_OK(batch);
      EXPECT_EQ(batch->indices, expected->indices);
      EXPECT_EQ(batch->unreadable, expected->unreadable);
      EXPECT_EQ(batch->unreadable_reasons, expected->unreadable_reasons);
      EXPECT_EQ(valuesOf(batch->inputs), valuesOf(expected->inputs));
    }
    EXPECT_EQ(prefetcher.remaining(), 0);
    EXPECT_THROW((void)prefetcher.next(), std::out_of_range);
  }
}

TEST(Prefetcher, LoadsNoFurtherAheadThanItWasTold) {
  const WatchedDataset dataset(100);
  Prefetcher prefetcher(dataset, BatchPlan::ofRange(0, 100, 10), asStored(), contextOf(2), 3);
  EXPECT_EQ(dataset.readsAround(30), 30) << "the queue is full, and nobody takes";
  ASSERT_TRUE(prefetcher.next());
  EXPECT_EQ(dataset.readsAround(40), 40);
  ASSERT_TRUE(prefetcher.next());
  ASSERT_TRUE(prefetcher.next());
  EXPECT_EQ(dataset.readsAround(60), 60);
  EXPECT_THROW(Prefetcher(dataset, BatchPlan::ofRange(0, 1, 1), asStored(), RunContext(), 0),
               std::invalid_argument);
}

TEST(Prefetcher, ATightMemoryBudgetBoundsTheBatchesThatExist) {
  const WatchedDataset dataset(100);
  RunContext context = contextOf(2);
  context.memory_budget_bytes = 2 * 10 * 4;  // two batches of ten floats
  Prefetcher prefetcher(dataset, BatchPlan::ofRange(0, 100, 10), asStored(), context, 5);
  EXPECT_EQ(dataset.readsAround(20), 20);
  ASSERT_TRUE(prefetcher.next());
  EXPECT_EQ(dataset.readsAround(20), 20) << "one is handed out, one waits";
  ASSERT_TRUE(prefetcher.next());
  EXPECT_EQ(dataset.readsAround(30), 30);
  context.memory_budget_bytes = 10 * 4;
  Prefetcher single(dataset, BatchPlan::ofRange(0, 100, 10), asStored(), context, 5);
  for (int batch = 0; batch < 10; ++batch) {
    ASSERT_TRUE(single.next()) << "one batch always fits";
  }
}

TEST(Prefetcher, OneThreadMeansOneThread) {
  const WatchedDataset dataset(20);
  Prefetcher prefetcher(dataset, BatchPlan::ofRange(0, 20, 10), asStored(), contextOf(1));
  EXPECT_EQ(dataset.readsAround(0), 0) << "nothing happens behind the caller's back";
  ASSERT_TRUE(prefetcher.next());
  EXPECT_EQ(dataset.readsAround(10), 10);
}

TEST(Prefetcher, AnErrorIsMetAtItsPlaceAndStays) {
  WatchedDataset dataset(40);
  dataset.wide_at = 25;
  for (const int threads : {1, 2}) {
    Prefetcher prefetcher(dataset, BatchPlan::ofRange(0, 40, 10), asStored(), contextOf(threads));
    ASSERT_TRUE(prefetcher.next());
    ASSERT_TRUE(prefetcher.next());
    for (int again = 0; again < 2; ++again) {
      const auto batch = prefetcher.next();
      ASSERT_FALSE(batch);
      EXPECT_THAT(batch.error().message, HasSubstr("item25"));
    }
    EXPECT_EQ(prefetcher.remaining(), 2);
  }
}

TEST(Prefetcher, AnExceptionReachesTheConsumer) {
  WatchedDataset dataset(40);
  dataset.throws_at = 15;
  for (const int threads : {1, 2, 4}) {
    Prefetcher prefetcher(dataset, BatchPlan::ofRange(0, 40, 10), asStored(), contextOf(threads));
    ASSERT_TRUE(prefetcher.next());
    EXPECT_THROW((void)prefetcher.next(), std::runtime_error);
    EXPECT_THROW((void)prefetcher.next(), std::runtime_error);
  }
}

TEST(Prefetcher, CancellingWhileTheQueueIsFullEndsAtOnce) {
  const WatchedDataset dataset(100);
  RunContext context = contextOf(2);
  {
    Prefetcher prefetcher(dataset, BatchPlan::ofRange(0, 100, 10), asStored(), context);
    EXPECT_EQ(dataset.readsAround(20), 20);
    context.control()->requestCancel();
    const auto batch = prefetcher.next();
    ASSERT_FALSE(batch) << "the batches that wait are not handed out any more";
    EXPECT_EQ(batch.error().code, ErrorCode::kCancelled);
    EXPECT_EQ(prefetcher.next().error().code, ErrorCode::kCancelled);
  }
  EXPECT_EQ(dataset.readsAround(20), 20) << "nothing more is read";
}

TEST(Prefetcher, CancellingFromAnotherThreadWakesTheConsumer) {
  WatchedDataset dataset(100);
  dataset.is_held = true;
  RunContext context = contextOf(2);
  Prefetcher prefetcher(dataset, BatchPlan::ofRange(0, 100, 50), asStored(), context);
  auto waiting = std::async(std::launch::async, [&] { return prefetcher.next(); });
  EXPECT_GE(dataset.readsAround(1), 1);
  context.control()->requestCancel();
  const auto batch = waiting.get();  // while the items are still being read
  EXPECT_TRUE(dataset.is_held);
  dataset.is_held = false;
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().code, ErrorCode::kCancelled);
  EXPECT_LT(dataset.readsAround(1), 50) << "the rest of the batch is not read";
}

TEST(Prefetcher, StoppingWakesTheConsumerButCancelsNothingElse) {
  WatchedDataset dataset(100);
  dataset.is_held = true;
  RunContext context = contextOf(2);
  Prefetcher prefetcher(dataset, BatchPlan::ofRange(0, 100, 50), asStored(), context);
  std::stop_source stop;
  const auto stopper = std::async(std::launch::async, [&stop] {
    std::this_thread::sleep_for(30ms);
    stop.request_stop();
  });
  const auto stopped = prefetcher.next(stop.get_token());  // while the items are being read
  EXPECT_TRUE(dataset.is_held);
  dataset.is_held = false;
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(context.cancelRequested());
}

TEST(Prefetcher, GoesAwayPromptlyInTheMiddleOfABatch) {
  WatchedDataset dataset(1000);
  dataset.delay = 20ms;
  auto prefetcher = std::make_unique<Prefetcher>(dataset, BatchPlan::ofRange(0, 1000, 1000),
                                                 asStored(), contextOf(2));
  std::this_thread::sleep_for(30ms);
  prefetcher.reset();
  EXPECT_LT(dataset.readsAround(0), 1000) << "all items would take 10 seconds";
}

TEST(Prefetcher, NothingToLoadIsNoWork) {
  const WatchedDataset dataset(5);
  Prefetcher prefetcher(dataset, BatchPlan::ofRange(5, 5, 10), asStored(), contextOf(2));
  EXPECT_EQ(prefetcher.remaining(), 0);
  EXPECT_EQ(dataset.readsAround(0), 0);
}

}  // namespace
}  // namespace dubito
