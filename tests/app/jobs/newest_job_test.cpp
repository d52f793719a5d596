// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/newest_job.h"

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

class NewestJobTest : public testing::Test {
 protected:
  QObject receiver;
  WorkerThread worker;
  std::vector<int> answers;
  std::atomic<bool> open{false};

  void ask(NewestJob& job, int question) {
    job.submit<int>(
        QStringLiteral("asking"), {},
        [this, question](RunContext& context) -> Expected<int> {
          while (!open && !context.cancelRequested()) {
            std::this_thread::sleep_for(1ms);
          }
          return question;
        },
        &receiver, [this](const Expected<int>& answer) { answers.push_back(answer.value_or(-1)); });
  }
  void processFor(std::chrono::milliseconds time, std::size_t until_answers) {
    const auto deadline = std::chrono::steady_clock::now() + time;
    while (answers.size() < until_answers && std::chrono::steady_clock::now() < deadline) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
      std::this_thread::sleep_for(1ms);
    }
  }
};

TEST_F(NewestJobTest, AnswersTheFirstAndTheLastOfManyQuestions) {
  NewestJob job(worker);
  for (int question = 0; question < 100; ++question) {
    ask(job, question);
  }
  open = true;
  processFor(5000ms, 2);
  processFor(50ms, 3);
  EXPECT_EQ(answers, (std::vector<int>{0, 99}));
  ask(job, 7);
  processFor(5000ms, 3);
  EXPECT_EQ(answers.back(), 7);
}

TEST_F(NewestJobTest, AbandonedQuestionsAreNotAnswered) {
  NewestJob job(worker);
  ask(job, 1);
  ask(job, 2);
  job.abandon();
  open = true;
  processFor(100ms, 1);
  EXPECT_TRUE(answers.empty());
  ask(job, 3);
  processFor(5000ms, 1);
  EXPECT_EQ(answers, std::vector<int>{3});
}

TEST_F(NewestJobTest, AReceiverThatIsGoneIsNotAskedFor) {
  NewestJob job(worker);
  auto gone = std::make_unique<QObject>();
  int calls = 0;
  for (int i = 0; i < 2; ++i) {
    job.submit<int>(
        QStringLiteral("asking"), {},
        [this](RunContext& context) -> Expected<int> {
          while (!open && !context.cancelRequested()) {
            std::this_thread::sleep_for(1ms);
          }
          return 0;
        },
        gone.get(), [&calls](const Expected<int>&) { ++calls; });
  }
  gone.reset();
  open = true;
  processFor(100ms, 1);
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace dubito
