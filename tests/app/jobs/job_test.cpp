// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/job.h"
#include "core/base/memory_budget.h"
#include "tests/support/matchers.h"
#include "tests/support/run_tests.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>
#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace dubito {
namespace {

using namespace std::chrono_literals;

/// Runs the event loop until `done` or five seconds are over.
template <class Predicate>
bool waitFor(Predicate done) {
  const auto deadline = std::chrono::steady_clock::now() + 5s;
  while (!done() && std::chrono::steady_clock::now() < deadline) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    std::this_thread::sleep_for(1ms);
  }
  return done();
}

/// Steps until it is told to end; `steps` counts.
Expected<int> stepUntilTold(RunContext& context, std::atomic<int>& steps) {
  for (;;) {
    ++steps;
    switch (context.step("stepping", steps, 0)) {
      case Step::kCancel:
        return cancelled();
      case Step::kStopEarly:
        return steps.load();
      case Step::kContinue:
        break;
    }
    std::this_thread::sleep_for(1ms);
  }
}

class JobTest : public testing::Test {
 protected:
  QObject receiver;
  WorkerThread worker;
  std::optional<Expected<int>> result;
  int deliveries = 0;

  Job::Deliver<int> keep() {
    return [this](Expected<int> value) {
      ++deliveries;
      result = std::move(value);
    };
  }
};

TEST_F(JobTest, DeliversTheResultOnTheStartingThreadAndReportsEachState) {
  Job job(worker);
  std::vector<JobState> states;
  QObject::connect(&job, &Job::stateChanged, &receiver,
                   [&states](JobState state) { states.push_back(state); });
  const std::thread::id gui_thread = std::this_thread::get_id();
  std::thread::id work_thread;
  std::thread::id delivery_thread;
  EXPECT_TRUE(job.start<int>(
      "adding", {.device = Device{}, .threads = 3, .seed = 17, .memory = {}},
      [&work_thread](RunContext& context) -> Expected<int> {
        work_thread = std::this_thread::get_id();
        return static_cast<int>(context.seed) + context.threads;
      },
      &receiver,
      [&](Expected<int> value) {
        delivery_thread = std::this_thread::get_id();
        keep()(std::move(value));
      }));
  EXPECT_FALSE(canStart(job.state()));
  EXPECT_FALSE(result.has_value()) << "nothing may be delivered before the event loop runs";
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  ASSERT_TRUE(result->has_value());
  EXPECT_EQ(**result, 20);
  EXPECT_NE(work_thread, gui_thread);
  EXPECT_EQ(delivery_thread, gui_thread);
  EXPECT_EQ(states,
            (std::vector<JobState>{JobState::kQueued, JobState::kRunning, JobState::kSucceeded}));
  EXPECT_TRUE(canStart(job.state()));
  EXPECT_FALSE(canCancel(job.state()));
}

TEST_F(JobTest, DeliversAnErrorAsItIs) {
  Job job(worker);
  job.start<int>(
      "reading", {},
      [](RunContext&) -> Expected<int> { return fail(ErrorCode::kNotFound, "a.npz: gone; look"); },
      &receiver, keep());
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  ASSERT_FALSE(result->has_value());
  EXPECT_EQ(result->error().code, ErrorCode::kNotFound);
  EXPECT_EQ(result->error().message, "a.npz: gone; look");
  EXPECT_EQ(job.state(), JobState::kFailed);
}

TEST_F(JobTest, TurnsExceptionsIntoErrorsWithTheirFirstLine) {
  Job job(worker);
  job.start<int>(
      "predicting", {},
      [](RunContext&) -> Expected<int> {
        throw std::runtime_error("sizes differ\nframe #0: somewhere");
      },
      &receiver, keep());
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  ASSERT_FALSE(result->has_value());
  EXPECT_EQ(result->error().code, ErrorCode::kInternal);
  EXPECT_EQ(result->error().message.find("predicting: sizes differ; "), 0U);
  EXPECT_THAT(result->error().message, Not(HasSubstr("frame")));
  EXPECT_THAT(result->error().context, HasSubstr("frame #0"));

  result.reset();
  job.start<int>(
      "predicting", {}, [](RunContext&) -> Expected<int> { throw std::bad_alloc(); }, &receiver,
      keep());
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  EXPECT_EQ(result->error().code, ErrorCode::kOutOfMemory);

  result.reset();
  job.start<int>(
      "predicting", {}, [](RunContext&) -> Expected<int> { throw 7; }, &receiver, keep());
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  EXPECT_EQ(result->error().code, ErrorCode::kInternal);
}

TEST_F(JobTest, CancelReturnsAtOnceAndDeliversCancelled) {
  Job job(worker);
  std::atomic<int> steps = 0;
  job.start<int>(
      "stepping", {}, [&](RunContext& c) { return stepUntilTold(c, steps); }, &receiver, keep());
  ASSERT_TRUE(waitFor([&] { return steps > 3 && job.state() == JobState::kRunning; }));
  EXPECT_FALSE(job.start<int>(
      "second", {}, [](RunContext&) -> Expected<int> { return 1; }, &receiver, keep()))
      << "an active job must not start again";
  job.cancel();
  EXPECT_EQ(job.state(), JobState::kCancelling);
  EXPECT_FALSE(canCancel(job.state()));
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  ASSERT_FALSE(result->has_value());
  EXPECT_EQ(result->error().code, ErrorCode::kCancelled);
  EXPECT_EQ(job.state(), JobState::kCancelled);
}

TEST_F(JobTest, CancelWhileQueuedNeverRunsTheWork) {
  Job first(worker);
  Job second(worker);
  std::atomic<int> steps = 0;
  std::atomic<bool> ran = false;
  first.start<int>(
      "stepping", {}, [&](RunContext& c) { return stepUntilTold(c, steps); }, &receiver,
      [](Expected<int>) {});
  second.start<int>(
      "waiting", {},
      [&ran](RunContext&) -> Expected<int> {
        ran = true;
        return 1;
      },
      &receiver, keep());
  ASSERT_TRUE(waitFor([&] { return steps > 1; }));
  second.cancel();
  first.cancel();
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  EXPECT_EQ(result->error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(ran);
}

TEST_F(JobTest, StopEarlyKeepsWhatIsThere) {
  Job job(worker);
  std::atomic<int> steps = 0;
  job.start<int>(
      "stepping", {}, [&](RunContext& c) { return stepUntilTold(c, steps); }, &receiver, keep());
  ASSERT_TRUE(waitFor([&] { return steps > 3 && job.state() == JobState::kRunning; }));
  job.stopEarly();
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  ASSERT_TRUE(result->has_value());
  EXPECT_GT(**result, 3);
  EXPECT_EQ(job.state(), JobState::kSucceeded);
}

TEST_F(JobTest, RestartDropsTheOlderResult) {
  Job job(worker);
  std::atomic<int> steps = 0;
  job.restart<int>(
      "old", {}, [&](RunContext& c) { return stepUntilTold(c, steps); }, &receiver, keep());
  ASSERT_TRUE(waitFor([&] { return steps > 1; }));
  job.restart<int>(
      "new", {}, [](RunContext&) -> Expected<int> { return 2; }, &receiver, keep());
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  QCoreApplication::processEvents();  // the older reply was posted before the newer one
  EXPECT_EQ(deliveries, 1);
  ASSERT_TRUE(result->has_value());
  EXPECT_EQ(**result, 2);
}

TEST_F(JobTest, AJobDestroyedWhileRunningCancelsAndDeliversNothing) {
  std::atomic<int> steps = 0;
  std::atomic<bool> ended = false;
  {
    Job job(worker);
    job.start<int>(
        "stepping", {},
        [&](RunContext& context) {
          auto value = stepUntilTold(context, steps);
          ended = true;
          return value;
        },
        &receiver, keep());
    ASSERT_TRUE(waitFor([&] { return steps > 1; }));
  }
  EXPECT_TRUE(waitFor([&] { return ended.load(); })) << "the work must be told to end";
  QCoreApplication::processEvents();
  EXPECT_EQ(deliveries, 0);
}

TEST_F(JobTest, AReceiverThatIsGoneGetsNothing) {
  Job job(worker);
  auto owner = std::make_unique<QObject>();
  std::atomic<bool> go = false;
  job.start<int>(
      "waiting", {},
      [&go](RunContext&) -> Expected<int> {
        while (!go) {
          std::this_thread::sleep_for(1ms);
        }
        return 1;
      },
      owner.get(), keep());
  owner.reset();
  go = true;
  ASSERT_TRUE(waitFor([&] { return canStart(job.state()); }));
  EXPECT_EQ(job.state(), JobState::kSucceeded);
  EXPECT_EQ(deliveries, 0);
}

TEST_F(JobTest, GivesItsWorkAMemoryBudget) {
  JobSettings settings;
  const auto budgetOfWork = [&]() -> std::int64_t {
    Job job(worker);
    std::int64_t budget = -1;
    job.start<int>(
        "looking", settings,
        [&budget](RunContext& context) -> Expected<int> {
          budget = context.memory_budget_bytes;
          return 0;
        },
        &receiver, keep());
    EXPECT_TRUE(waitFor([&] { return result.has_value(); }));
    result.reset();
    return budget;
  };
  EXPECT_GT(budgetOfWork(), 0);
  settings.memory.memory = "3M";
  EXPECT_EQ(budgetOfWork(), 3'000'000);
}

TEST_F(JobTest, ProgressArrivesThrottledWithTheNewestValue) {
  Job job(worker);
  std::vector<std::int64_t> seen;
  QObject::connect(&job, &Job::progressChanged, &receiver,
                   [&seen](const Progress& progress) { seen.push_back(progress.done); });
  job.start<int>(
      "counting", {},
      [](RunContext& context) -> Expected<int> {
        for (int i = 0; i <= 20000; ++i) {
          context.step("counting", i, 20000);
        }
        std::this_thread::sleep_for(60ms);
        context.step("counting", 20000, 20000);
        return 0;
      },
      &receiver, keep());
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  ASSERT_FALSE(seen.empty());
  EXPECT_LT(seen.size(), 200U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 20000);
}

TEST(WorkerThreadTest, DestructionCancelsWhatRunsAndDropsWhatWaits) {
  std::atomic<int> steps = 0;
  std::atomic<bool> second_ran = false;
  {
    WorkerThread worker;
    auto control = std::make_shared<RunControl>();
    worker.post(control, [control, &steps] {
      RunContext context(control);
      static_cast<void>(stepUntilTold(context, steps));
    });
    worker.post(std::make_shared<RunControl>(), [&second_ran] { second_ran = true; });
    while (steps == 0) {
      std::this_thread::sleep_for(1ms);
    }
  }
  EXPECT_GT(steps, 0);
  EXPECT_FALSE(second_ran);
}

TEST(WorkerThreadTest, LowTasksWaitForUsualOnesAndBothKeepTheirOrder) {
  std::vector<int> order;
  std::atomic<bool> go = false;
  {
    WorkerThread worker;
    const auto post = [&](int number, Precedence precedence) {
      worker.post(
          std::make_shared<RunControl>(), [&order, number] { order.push_back(number); },
          precedence);
    };
    worker.post(std::make_shared<RunControl>(), [&go] {
      while (!go) {
        std::this_thread::sleep_for(1ms);
      }
    });
    post(3, Precedence::kLow);
    post(1, Precedence::kUsual);
    post(4, Precedence::kLow);
    post(2, Precedence::kUsual);
    go = true;
    while (worker.busy()) {
      std::this_thread::sleep_for(1ms);
    }
  }
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3, 4}));
}

#ifdef __GLIBC__
TEST_F(JobTest, ReturnsTheMemoryThatALongTaskHasFreed) {
  Job job(worker);
  std::vector<std::vector<char>> kept;  // between what is freed
  std::int64_t used = 0;
  job.start<int>(
      "filling memory", {},
      [&](RunContext&) -> Expected<int> {
        std::vector<std::vector<char>> freed;
        for (int i = 0; i < 1000; ++i) {
          freed.emplace_back(100'000, 'x');
          kept.emplace_back(1000, 'x');
        }
        used = residentMemory();
        std::this_thread::sleep_for(150ms);
        return 1;
      },
      &receiver, keep());
  ASSERT_TRUE(waitFor([&] { return result.has_value(); }));
  EXPECT_TRUE(waitFor([&] { return residentMemory() < used - 80'000'000; }));
}
#endif

}  // namespace
}  // namespace dubito

int main(int argc, char** argv) {
  QCoreApplication application(argc, argv);
  return dubito::test::runTests(argc, argv);
}
