// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/run_context.h"

namespace dubito {
namespace {

std::atomic<int> threads_that_worked{0};

/// Counts the threads that call it for the first time.
void countThread() {
  struct Once {
    Once() { ++threads_that_worked; }
  };
  static thread_local const Once once;
  static_cast<void>(&once);
}

/// Waits until so many threads are inside at a time, so that none can do the work of another.
class Meeting {
 public:
  explicit Meeting(int size) : size_(size) {}
  void join() {
    ++inside_;
    while (inside_ < size_) {
      std::this_thread::yield();
    }
  }

 private:
  int size_;
  std::atomic<int> inside_{0};
};

TEST(WorkerPool, CallsShareTheirThreads) {
  threads_that_worked = 0;
  RunContext context;
  context.threads = 3;
  const RunContext copy = context;
  for (int call = 0; call < 20; ++call) {
    Meeting meeting(3);
    (call % 2 == 0 ? context : copy).parallelFor(3, 1, [&](std::int64_t, std::int64_t) {
      countThread();
      meeting.join();
    });
  }
  // This one and two of the pool.
  EXPECT_EQ(threads_that_worked, 3);
}

TEST(WorkerPool, StartsThreadsOnlyForThoseWhoAsk) {
  WorkerPool pool;
  int calls = 0;
  pool.run(0, [&] { ++calls; });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(pool.threadCount(), 0);
  pool.run(2, [] {});
  pool.run(1, [] {});
  EXPECT_EQ(pool.threadCount(), 2);
}

TEST(WorkerPool, CallsMayBeNested) {
  RunContext context;
  context.threads = 4;
  std::atomic<std::int64_t> sum{0};
  context.parallelFor(50, 1, [&](std::int64_t outer, std::int64_t) {
    context.parallelFor(20, 3, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t inner = begin; inner < end; ++inner) {
        context.parallelFor(2, 1, [&](std::int64_t, std::int64_t) { sum += outer * 20 + inner; });
      }
    });
  });
  EXPECT_EQ(sum, 2 * 1000 * 999 / 2);
}

TEST(WorkerPool, SeveralThreadsMayCallAtATime) {
  RunContext context;
  context.threads = 3;
  std::atomic<std::int64_t> done{0};
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&] {
        for (int call = 0; call < 50; ++call) {
          context.parallelFor(30, 4,
                              [&](std::int64_t begin, std::int64_t end) { done += end - begin; });
        }
      });
    }
  }
  EXPECT_EQ(done, 4 * 50 * 30);
}

TEST(WorkerPool, ServesOnAfterAnException) {
  RunContext context;
  context.threads = 3;
  for (int call = 0; call < 10; ++call) {
    EXPECT_THROW(context.parallelFor(100, 1,
                                     [](std::int64_t begin, std::int64_t) {
                                       if (begin % 10 == 3) {
                                         throw std::runtime_error("three");
                                       }
                                     }),
                 std::runtime_error);
    std::atomic<std::int64_t> done{0};
    context.parallelFor(100, 1, [&](std::int64_t, std::int64_t) { ++done; });
    EXPECT_EQ(done, 100);
  }
}

}  // namespace
}  // namespace dubito
