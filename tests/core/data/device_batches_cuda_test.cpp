// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/CachingHostAllocator.h>

#include <cstdint>
#include <thread>

#include "core/data/device/device_batches_torch.h"
#include "tests/core/data/items.h"
#include "tests/core/kernels/cuda_test.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

class DeviceBatchesCuda : public test::CudaTest {
 protected:
  const at::Device gpu_{at::kCUDA, 0};
};

std::int64_t pageLockedBytes() {
  return at::getHostAllocator(at::kCUDA)->get_stats().allocated_bytes.current;
}

/// 16 MB each, so that copies and products take long enough to overlap.
TEST_F(DeviceBatchesCuda, CopiesArriveWholeWhileTheDeviceComputes) {
  constexpr std::int64_t kSide = 2048;
  const std::int64_t locked_before = pageLockedBytes();
  {
    const auto copier = makeDeviceCopier(gpu_);
    const at::Tensor busy = at::ones({kSide, kSide}, at::TensorOptions(at::kFloat).device(gpu_));
    at::Tensor result = busy;
    std::vector<at::Tensor> sums;
    for (int round = 0; round < 20; ++round) {
      at::Tensor on_cpu = at::arange(kSide * kSide, at::kFloat).view({kSide, kSide}) + round;
      StartedCopy copy;
      // As in DeviceBatches: started on another thread, used on this one.
      std::thread([&] { copy = copier->start(on_cpu); }).join();
      on_cpu.fill_(-1.0);
      for (int i = 0; i < 10; ++i) {
        result = at::mm(busy, busy);
      }
      copy.join();
      const at::Tensor expected =
          at::arange(kSide * kSide, copy.tensor.options()).view({kSide, kSide}) + round;
      sums.push_back((copy.tensor - expected).abs().max());
    }
    EXPECT_EQ(at::stack(sums).max().item<float>(), 0.0F);
    EXPECT_EQ(result.max().item<float>(), static_cast<float>(kSide));
    EXPECT_GT(pageLockedBytes(), locked_before);
  }
  EXPECT_LE(pageLockedBytes(), locked_before);
}

TEST_F(DeviceBatchesCuda, BatchesArriveInOrder) {
  const test::PatchyDataset dataset(std::vector<std::int64_t>(1000, 1));
  for (const int threads : {1, 4}) {
    RunContext context;
    context.threads = threads;
    DeviceBatches batches(dataset, BatchPlan::ofRange(0, 1000, 7), test::asStored(), context,
                          makeDeviceCopier(gpu_));
    while (batches.remaining() > 0) {
      const auto batch = batches.next();
      ASSERT_OK(batch);
      ASSERT_EQ(batch->inputs.device(), gpu_);
      const at::Tensor on_cpu = (batch->inputs + 0.0).cpu();
      EXPECT_TRUE(at::equal(on_cpu, tensorOf(batch->batch)));
    }
  }
}

}  // namespace
}  // namespace dubito
