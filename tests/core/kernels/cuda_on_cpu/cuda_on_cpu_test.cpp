// SPDX-License-Identifier: GPL-3.0-or-later
// What runs CUDA kernels on the processor sees the faults that it is there for.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/kernels/cuda_on_cpu/grid.h"
#include "tests/core/kernels/cuda_on_cpu/sample_kernels.h"
#include "tests/core/kernels/cuda_on_cpu/schedules.h"
#include "tests/support/matchers.h"

namespace dubito::cuda_on_cpu {
namespace {

/// What the fault of a launch says; empty: none.
std::string faultOf(const std::function<cudaError_t()>& launch, const Schedule& schedule) {
  setSchedule(schedule);
  std::string fault;
  try {
    EXPECT_EQ(launch(), cudaSuccess);
  } catch (const KernelFault& caught) {
    fault = caught.what();
  }
  setSchedule({});
  return fault;
}

void expectFault(const std::function<cudaError_t()>& launch, const std::string& message) {
  for (const Schedule& schedule : kSchedules) {
    const std::string fault = faultOf(launch, schedule);
    EXPECT_THAT(fault, HasSubstr(message));
    // The stacks of the threads that hung are there again.
    EXPECT_EQ(faultOf([] { return launchWholeMask(1024); }, schedule), "");
  }
}

TEST(CudaOnCpu, EveryThreadRunsOnce) {
  for (const Schedule& schedule :
       {Schedule{Schedule::Order::kForward, 0, 0}, Schedule{Schedule::Order::kBackward, 0, 0},
        Schedule{Schedule::Order::kShuffled, 5, 0}}) {
    std::array<int, kCountedThreads> counts{};
    EXPECT_EQ(faultOf([&] { return launchCounts(counts.data()); }, schedule), "");
    EXPECT_EQ(std::ranges::count(counts, 1), std::ssize(counts));
  }
}

TEST(CudaOnCpu, ThreadsWaitForEachOther) {
  for (const Schedule& schedule : kSchedules) {
    std::vector<float> values(100);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(i);
    }
    EXPECT_EQ(faultOf([&] { return launchReversal(values.data(), 100, true); }, schedule), "");
    EXPECT_TRUE(std::ranges::is_sorted(values, std::greater<>()));
    std::vector<float> ones(32, 1.0F);
    EXPECT_EQ(faultOf([&] { return launchWarpSum(ones.data()); }, schedule), "");
    EXPECT_EQ(std::ranges::count(ones, 32.0F), 32);
  }
}

TEST(CudaOnCpu, AMissingBarrierShows) {
  for (const Schedule& schedule : kSchedules) {
    std::vector<float> values(100, 1.0F);
    const auto launch = [&] {
      return faultOf([&] { return launchReversal(values.data(), 100, false); }, schedule);
    };
#ifdef __SANITIZE_THREAD__
    EXPECT_DEATH((void)launch(), "data race");
#else
    EXPECT_EQ(launch(), "");
    EXPECT_TRUE(std::ranges::any_of(values, [](float value) { return std::isnan(value); }));
#endif
  }
}

TEST(CudaOnCpu, EveryBlockFindsGarbageInSharedMemory) {
  std::array<float, 2> values{};
  ASSERT_EQ(launchUnsetMemory(values.data()), cudaSuccess);
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_TRUE(std::isnan(values[1]));
}

TEST(CudaOnCpu, ABarrierThatIsNotReachedByAllIsAFault) {
  expectFault(launchEarlyEnd, "1 of 70 threads have ended, 69 wait for __syncthreads");
  expectFault(launchTwoBarriers, "it waits for __syncthreads at");
}

TEST(CudaOnCpu, AnExchangeThatIsNotReachedByAllIsAFault) {
  expectFault(launchMissingLane, ", 31 wait for others of their warp at");
  expectFault([] { return launchWholeMask(40); }, "names lanes that the warp does not have");
  expectFault(launchForeignLane, "a lane outside the mask of a shuffle is read");
}

TEST(CudaOnCpu, LanesVote) {
  for (const Schedule& schedule : kSchedules) {
    std::array<int, 2> count{};
    EXPECT_EQ(faultOf([&] { return launchVotes(count.data()); }, schedule), "");
    EXPECT_EQ(count, (std::array<int, 2>{0x11111111, 1}));
  }
}

TEST(CudaOnCpu, FourFloatsThatAreNotAlignedAreAFault) {
  alignas(16) std::array<float, 8> from{1.0F, 2.0F, 3.0F, 4.0F, 5.0F};
  alignas(16) std::array<float, 8> to{};
  EXPECT_EQ(launchCopyOfFour(from.data(), to.data() + 4), cudaSuccess);
  EXPECT_EQ(to[7], 4.0F);
  for (const auto& [source, target] :
       {std::pair{from.data() + 1, to.data()}, std::pair{from.data(), to.data() + 1}}) {
#ifdef __SANITIZE_ADDRESS__
    // The check of undefined behaviour that comes with it is first.
    EXPECT_DEATH((void)launchCopyOfFour(source, target), "misaligned address");
#else
    expectFault([source, target] { return launchCopyOfFour(source, target); }, "are not aligned");
#endif
  }
}

TEST(CudaOnCpu, AWriteBeyondSharedMemoryIsAFault) {
  EXPECT_EQ(launchSharedWrite(7), cudaSuccess);
  if (kGuardsSharedMemory) {
    expectFault([] { return launchSharedWrite(8); }, "written beyond its end");
  } else {
    EXPECT_DEATH((void)launchSharedWrite(8), "heap-buffer-overflow");
  }
}

TEST(CudaOnCpu, LaunchesThatAGpuRefusesFail) {
  EXPECT_EQ(launchNothing(1, 1024, kMaxSharedBytes), cudaSuccess);
  EXPECT_EQ(launchNothing(0, 1, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchNothing(1, 0, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchNothing(1, 1025, 0), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchNothing(1, 1, kMaxSharedBytes + 1), cudaErrorInvalidValue);
  EXPECT_EQ(launchNothing(1, 1, 0), cudaSuccess);
}

}  // namespace
}  // namespace dubito::cuda_on_cpu
