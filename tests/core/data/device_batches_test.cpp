// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/device/device_batches_torch.h"

#include <gtest/gtest.h>

#include <ATen/Functions.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "tests/core/data/items.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using namespace std::chrono_literals;
using test::asStored;
using test::PatchyDataset;

using Clock = std::chrono::steady_clock;

RunContext contextOf(int threads) {
  RunContext context;
  context.threads = threads;
  return context;
}

/// What happened on the device that stands in for a GPU.
struct Events {
  std::atomic<std::int64_t> started{0};
  std::atomic<std::int64_t> joined{0};
  std::atomic<bool> is_gone{false};
  std::atomic<bool> out_of_memory{false};

  /// How many copies were started, once `expected` are, or after long, and nothing more happens.
  [[nodiscard]] std::int64_t startsAround(std::int64_t expected) const {
    for (const auto until = Clock::now() + 10s; started < expected && Clock::now() < until;) {
      std::this_thread::sleep_for(1ms);
    }
    std::this_thread::sleep_for(50ms);
    return started;
  }
};

/// Copies to the CPU. A copy has its values only once it is joined.
class PretendedCopier : public DeviceCopier {
 public:
  explicit PretendedCopier(Events& events) : events_(events) {}
  ~PretendedCopier() override { events_.is_gone = true; }

  StartedCopy start(const at::Tensor& on_cpu) override {
    if (events_.out_of_memory) {
      throw std::runtime_error("out of memory");
    }
    ++events_.started;
    const at::Tensor values = on_cpu.clone();
    const at::Tensor copy = at::full_like(values, -1.0);
    return {copy, [this, copy, values] {
              ++events_.joined;
              copy.copy_(values);
            }};
  }

 private:
  Events& events_;
};

/// Numbers of one pixel; reading them can be slow or fail.
class Numbers : public PatchyDataset {
 public:
  explicit Numbers(std::int64_t count)
      : PatchyDataset(std::vector<std::int64_t>(static_cast<std::size_t>(count), 1)) {}

  Expected<Sample> read(std::int64_t index) const override {
    ++reads;
    if (index == throws_at) {
      throw std::runtime_error("the disk is on fire");
    }
    if (index >= slow_from) {
      std::this_thread::sleep_for(10ms);
    }
    for (const auto until = Clock::now() + 10s; is_held;) {
      std::this_thread::sleep_for(1ms);
      if (Clock::now() >= until) {
        is_held = false;  // nobody was woken
      }
    }
    return index == wide_at ? Sample(test::image(1, 2, 1, {0, 0})) : PatchyDataset::read(index);
  }

  std::int64_t throws_at = -1;
  std::int64_t wide_at = -1;
  std::int64_t slow_from = 1'000'000;
  mutable std::atomic<std::int64_t> reads{0};
  /// Reading waits until it is not, or for ten seconds.
  mutable std::atomic<bool> is_held{false};
};

class DeviceBatchesOf : public testing::Test {
 protected:
  std::unique_ptr<DeviceBatches> batches(std::int64_t count, const RunContext& context,
                                         DeviceBatches::MakeInputs make_inputs = {}) {
    const BatchPlan plan = BatchPlan::ofRange(0, count, 2);
    auto copier = std::make_unique<PretendedCopier>(events_);
    return make_inputs ? std::make_unique<DeviceBatches>(dataset_, plan, asStored(), context,
                                                         std::move(copier), make_inputs)
                       : std::make_unique<DeviceBatches>(dataset_, plan, asStored(), context,
                                                         std::move(copier));
  }
  static void expectItems(const DeviceBatch& batch, std::int64_t first) {
    ASSERT_TRUE(batch.inputs.defined());
    ASSERT_EQ(batch.inputs.sizes().vec(), batch.batch.inputs.shape());
    for (std::int64_t i = 0; i < batch.inputs.size(0); ++i) {
      EXPECT_EQ(batch.batch.indices[static_cast<std::size_t>(i)], first + i);
      EXPECT_EQ(batch.inputs.flatten()[i].item<float>(), static_cast<float>(first + i));
    }
  }

  Events events_;
  Numbers dataset_{100};
};

TEST_F(DeviceBatchesOf, OneBatchIsCopiedWhileAnotherComputes) {
  const auto batches = this->batches(20, contextOf(2));
  for (std::int64_t number = 0; batches->remaining() > 0; ++number) {
    const auto batch = batches->next();
    ASSERT_OK(batch);
    EXPECT_EQ(events_.joined, number + 1);
    expectItems(*batch, 2 * number);
    const std::int64_t ahead = std::min<std::int64_t>(number + 2, 10);
    ASSERT_EQ(events_.startsAround(ahead), ahead);
  }
  EXPECT_EQ(events_.started, 10);
}

TEST_F(DeviceBatchesOf, AsManyBatchesAreLoadedAsWithoutADevice) {
  const auto batches = this->batches(100, contextOf(2));
  ASSERT_OK(batches->next());
  ASSERT_EQ(events_.startsAround(2), 2);
  EXPECT_EQ(dataset_.reads, 2 * 3);
}

TEST_F(DeviceBatchesOf, OneThreadCopiesInsideNext) {
  const auto batches = this->batches(6, contextOf(1));
  for (std::int64_t number = 0; number < 3; ++number) {
    const auto batch = batches->next();
    ASSERT_OK(batch);
    expectItems(*batch, 2 * number);
    EXPECT_EQ(events_.startsAround(number + 1), number + 1);
    EXPECT_EQ(dataset_.reads, 2 * (number + 1));
  }
}

TEST_F(DeviceBatchesOf, NothingIsCopiedForTheCpu) {
  EXPECT_EQ(makeDeviceCopier(c10::Device(at::kCPU)), nullptr);
  DeviceBatches batches(dataset_, BatchPlan::ofRange(0, 4, 2), asStored(), contextOf(2), nullptr);
  for (std::int64_t first : {0, 2}) {
    const auto batch = batches.next();
    ASSERT_OK(batch);
    expectItems(*batch, first);
    EXPECT_EQ(batch->inputs.const_data_ptr<float>(), batch->batch.inputs.data());
  }
  EXPECT_THROW(static_cast<void>(batches.next()), std::out_of_range);
}

TEST_F(DeviceBatchesOf, InputsAreMadeInOrderFromTheirOwnBatch) {
  const auto batches = this->batches(12, contextOf(2), [](const Batch& batch, std::int64_t number) {
    EXPECT_EQ(batch.indices.front(), 2 * number);
    return tensorOf(batch) + 100.0 * static_cast<double>(number);
  });
  for (std::int64_t number = 0; number < 6; ++number) {
    const auto batch = batches->next();
    ASSERT_OK(batch);
    EXPECT_EQ(batch->inputs.flatten()[0].item<float>(), static_cast<float>(102 * number));
  }
}

TEST_F(DeviceBatchesOf, BatchesWithoutReadableItemsHaveNoInputs) {
  const PatchyDataset unreadable({1, 1, 0, 0, 1, 1});
  DeviceBatches batches(unreadable, BatchPlan::ofRange(0, 6, 2), asStored(), contextOf(2),
                        std::make_unique<PretendedCopier>(events_));
  ASSERT_TRUE(batches.next().value().inputs.defined());
  const auto none = batches.next();
  ASSERT_OK(none);
  EXPECT_FALSE(none->inputs.defined());
  EXPECT_EQ(none->batch.unreadable.size(), 2U);
  expectItems(batches.next().value(), 4);
}

TEST_F(DeviceBatchesOf, WithoutMemoryOnTheDeviceInputsStayOnTheCpu) {
  events_.out_of_memory = true;
  const auto batches = this->batches(6, contextOf(2));
  for (std::int64_t number = 0; number < 3; ++number) {
    const auto batch = batches->next();
    ASSERT_OK(batch);
    expectItems(*batch, 2 * number);
    EXPECT_EQ(batch->inputs.const_data_ptr<float>(), batch->batch.inputs.data());
  }
}

TEST_F(DeviceBatchesOf, ATightMemoryBudgetLeavesNoBatchAhead) {
  RunContext context = contextOf(2);
  context.memory_budget_bytes = 8;  // one batch
  const auto batches = this->batches(100, context);
  for (std::int64_t number = 0; number < 3; ++number) {
    {
      const auto batch = batches->next();
      ASSERT_OK(batch);
      expectItems(*batch, 2 * number);
    }
    EXPECT_EQ(events_.startsAround(0), 0);
    EXPECT_EQ(dataset_.reads, 2 * (number + 1));
  }
}

/// The one that computes, the one ahead, the one being loaded, and the page-locked copy of twice
/// the size.
TEST_F(DeviceBatchesOf, ABatchAheadNeedsRoomForFiveOnTheHost) {
  for (const auto& [budget, copies] : {std::pair{5 * 8 - 1, 0}, {5 * 8, 2}}) {
    RunContext context = contextOf(2);
    context.memory_budget_bytes = budget;
    const auto batches = this->batches(100, context);
    ASSERT_OK(batches->next());
    EXPECT_EQ(events_.startsAround(copies), copies) << budget;
  }
}

TEST_F(DeviceBatchesOf, AnErrorIsMetAtItsPlaceAndStays) {
  for (const int threads : {1, 2}) {
    dataset_.wide_at = 5;
    const auto batches = this->batches(20, contextOf(threads));
    ASSERT_OK(batches->next());
    const auto before = batches->next();
    ASSERT_OK(before);
    expectItems(*before, 2);
    for (int again = 0; again < 2; ++again) {
      const auto wide = batches->next();
      ASSERT_FALSE(wide);
      EXPECT_EQ(wide.error().code, ErrorCode::kInvalidArgument);
    }
  }
}

TEST_F(DeviceBatchesOf, AnExceptionReachesTheConsumer) {
  dataset_.throws_at = 3;
  const auto of_dataset = batches(20, contextOf(2));
  ASSERT_OK(of_dataset->next());
  EXPECT_THROW(static_cast<void>(of_dataset->next()), std::runtime_error);
  EXPECT_THROW(static_cast<void>(of_dataset->next()), std::runtime_error);
  dataset_.throws_at = -1;
  const auto of_inputs =
      batches(20, contextOf(2), [](const Batch& batch, std::int64_t number) -> at::Tensor {
        return number == 1 ? throw std::runtime_error("no inputs") : tensorOf(batch);
      });
  ASSERT_OK(of_inputs->next());
  EXPECT_THROW(static_cast<void>(of_inputs->next()), std::runtime_error);
}

TEST_F(DeviceBatchesOf, CancellingStopsEvenWithABatchAhead) {
  RunContext context = contextOf(2);
  const auto batches = this->batches(100, context);
  ASSERT_OK(batches->next());
  ASSERT_EQ(events_.startsAround(2), 2);
  context.control()->requestCancel();
  const auto stopped = batches->next();
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(events_.startsAround(2), 2);
}

TEST_F(DeviceBatchesOf, CancellingFromAnotherThreadWakesTheConsumer) {
  dataset_.is_held = true;
  RunContext context = contextOf(2);
  DeviceBatches batches(dataset_, BatchPlan::ofItems(test::range(100), 50), asStored(), context,
                        std::make_unique<PretendedCopier>(events_));
  const auto canceller = std::async(std::launch::async, [&context] {
    std::this_thread::sleep_for(30ms);
    context.control()->requestCancel();
  });
  const auto stopped = batches.next();  // while the items are being read
  EXPECT_TRUE(dataset_.is_held);
  dataset_.is_held = false;
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

TEST_F(DeviceBatchesOf, GoAwayPromptlyWithNothingInFlight) {
  dataset_.slow_from = 50;
  auto batches = std::make_unique<DeviceBatches>(dataset_, BatchPlan::ofItems(test::range(100), 50),
                                                 asStored(), contextOf(2),
                                                 std::make_unique<PretendedCopier>(events_));
  ASSERT_OK(batches->next());
  batches.reset();
  EXPECT_LT(dataset_.reads, 100) << "the second batch is not waited for";
  EXPECT_TRUE(events_.is_gone);
  EXPECT_EQ(events_.started, 1);
}

}  // namespace
}  // namespace dubito
