// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/run_context.h"

#include <gtest/gtest.h>

#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace dubito {
namespace {

TEST(RunContext, StepTellsWhatWasAskedFor) {
  RunContext context;
  EXPECT_EQ(context.step("a", 0, 10), Step::kContinue);
  context.control()->requestStopEarly();
  EXPECT_EQ(context.step("a", 1, 10), Step::kStopEarly);
  context.control()->requestCancel();
  EXPECT_EQ(context.step("a", 2, 10), Step::kCancel);
}

TEST(RunContext, CopiesShareTheFlags) {
  RunContext context;
  const RunContext copy = context;
  context.control()->requestCancel();
  EXPECT_TRUE(copy.cancelRequested());
}

TEST(RunContext, ProgressIsThrottledButStagesAndTheEndAreReported) {
  RunContext context;
  std::vector<Progress> reports;
  context.on_progress = [&](const Progress& progress) { reports.push_back(progress); };
  for (int i = 0; i <= 1000; ++i) {
    context.step("predict", i, 1000);
  }
  context.step("write", 0, 1);
  ASSERT_GE(reports.size(), 3U);
  EXPECT_LT(reports.size(), 100U);
  EXPECT_EQ(reports.front().done, 0);
  EXPECT_EQ(reports[reports.size() - 2].done, 1000);
  EXPECT_EQ(reports.back().stage, "write");
}

TEST(RunContext, ParallelForCoversEveryItemOnceInPartsThatDoNotDependOnThreads) {
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> parts_by_threads;
  for (const int threads : {1, 3}) {
    RunContext context;
    context.threads = threads;
    std::vector<int> visits(1003, 0);
    std::vector<std::pair<std::int64_t, std::int64_t>> parts;
    std::mutex mutex;
    context.parallelFor(1003, 100, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        ++visits[static_cast<std::size_t>(i)];
      }
      const std::scoped_lock lock(mutex);
      parts.emplace_back(begin, end);
    });
    for (const int count : visits) {
      ASSERT_EQ(count, 1);
    }
    std::sort(parts.begin(), parts.end());
    parts_by_threads.push_back(parts);
  }
  EXPECT_EQ(parts_by_threads[0], parts_by_threads[1]);
}

TEST(RunContext, ParallelForRethrows) {
  RunContext context;
  context.threads = 2;
  EXPECT_THROW(context.parallelFor(10, 1,
                                   [](std::int64_t begin, std::int64_t) {
                                     if (begin == 5) {
                                       throw std::runtime_error("five");
                                     }
                                   }),
               std::runtime_error);
  context.parallelFor(0, 1, [](std::int64_t, std::int64_t) { FAIL() << "nothing to do"; });
}

}  // namespace
}  // namespace dubito
