// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_runner.h"
#include "tests/support/run_tests.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QEventLoop>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace dubito {
namespace {

using namespace std::chrono_literals;

/// Counts from 0 to 10 in slices; what a slice gives is shown with the number of its run.
class CountingRunner : public LabRunner {
 public:
  explicit CountingRunner(WorkerThread& worker) : LabRunner(worker, 1, playbackSpeeds(), nullptr) {}

  struct Shown {
    int run = 0;
    int count = 0;
    bool operator==(const Shown& other) const = default;
  };
  std::vector<Shown> shown;
  bool fails = false;
  std::vector<SlicePace> paces;

 protected:
  Slice slice(const SlicePace& pace) override {
    paces.push_back(pace);
    return [this, run = run_, count = count_, advances = pace.advances,
            fails = fails](RunContext&) -> Expected<Show> {
      std::this_thread::sleep_for(5ms);
      if (fails) {
        return fail(ErrorCode::kInvalidArgument, "the run has no numbers; use others");
      }
      return Show([this, run, next = count + (advances ? 1 : 0)] {
        started_ = true;
        count_ = next;
        shown.push_back({run, next});
      });
    };
  }
  void forget() override {
    ++run_;
    count_ = 0;
    started_ = false;
  }
  [[nodiscard]] bool hasStarted() const override { return started_; }
  [[nodiscard]] bool isComplete() const override { return count_ >= 10; }

 private:
  int run_ = 0;
  int count_ = 0;
  bool started_ = false;
};

class LabRunnerTest : public testing::Test {
 protected:
  WorkerThread worker;
  CountingRunner runner{worker};

  /// Runs the event loop until the runner rests.
  void settle() {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (runner.busy() && std::chrono::steady_clock::now() < deadline) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
      std::this_thread::sleep_for(1ms);
    }
    ASSERT_FALSE(runner.busy());
  }
  [[nodiscard]] std::vector<int> counts() const {
    std::vector<int> counts;
    for (const auto& shown : runner.shown) {
      counts.push_back(shown.count);
    }
    return counts;
  }
};

TEST_F(LabRunnerTest, PlaysToTheEnd) {
  runner.restart();
  settle();
  EXPECT_EQ(counts(), (std::vector{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_TRUE(runner.isFinished());
}

TEST_F(LabRunnerTest, ASliceOfTheRunBeforeIsNotShown) {
  runner.pause();
  runner.restart();
  runner.restart();  // while the first slice works
  settle();
  EXPECT_EQ(runner.shown, (std::vector<CountingRunner::Shown>{{2, 0}}));
}

TEST_F(LabRunnerTest, APausedRunShowsItsStartAndWaits) {
  runner.pause();
  runner.restart();
  settle();
  EXPECT_EQ(counts(), std::vector{0});
  runner.step();
  settle();
  runner.step();
  settle();
  EXPECT_EQ(counts(), (std::vector{0, 1, 2}));
  EXPECT_FALSE(runner.paces[0].one_unit);
  EXPECT_TRUE(runner.paces[2].one_unit);
  EXPECT_EQ(runner.paces[2].units(), 1);
  EXPECT_FALSE(runner.isFinished());
}

TEST_F(LabRunnerTest, AStepThatWasAskedForBeforeAResetIsNotDone) {
  runner.pause();
  runner.restart();
  runner.step();  // waits for the first slice
  runner.restart();
  settle();
  EXPECT_EQ(runner.shown, (std::vector<CountingRunner::Shown>{{2, 0}}));
}

TEST_F(LabRunnerTest, WhatNobodyWatchesGivesWay) {
  CountingRunner other(worker);
  std::atomic<bool> go = false;
  worker.post(std::make_shared<RunControl>(), [&go] {
    while (!go) {
      std::this_thread::sleep_for(1ms);
    }
  });
  runner.pause();
  runner.setWatched(false);
  runner.restart();  // queued first
  other.pause();
  other.restart();
  std::vector<int> order;
  QObject::connect(&runner, &LabRunner::stateChanged, &runner, [&] {
    if (!runner.shown.empty()) {
      order.push_back(1);
    }
  });
  QObject::connect(&other, &LabRunner::stateChanged, &other, [&] {
    if (!other.shown.empty()) {
      order.push_back(2);
    }
  });
  go = true;
  settle();
  ASSERT_FALSE(order.empty());
  EXPECT_EQ(order.front(), 2);
  EXPECT_EQ(counts(), std::vector{0});
}

TEST_F(LabRunnerTest, AnErrorEndsTheRunAndAResetForgetsIt) {
  int changes = 0;
  QObject::connect(&runner, &LabRunner::pictureChanged, &runner, [&changes] { ++changes; });
  runner.fails = true;
  runner.restart();
  settle();
  EXPECT_EQ(runner.error(), "the run has no numbers; use others");
  EXPECT_TRUE(runner.isFinished());
  EXPECT_EQ(runner.paces.size(), 1U);
  EXPECT_EQ(changes, 2);  // the reset, the error
  runner.fails = false;
  runner.restart();
  settle();
  EXPECT_TRUE(runner.error().isEmpty());
  ASSERT_FALSE(runner.shown.empty());
  EXPECT_EQ(runner.shown.back().count, 10);
}

}  // namespace
}  // namespace dubito

int main(int argc, char** argv) {
  QCoreApplication application(argc, argv);
  return dubito::test::runTests(argc, argv);
}
