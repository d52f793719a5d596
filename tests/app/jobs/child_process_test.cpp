// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/child_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using namespace std::chrono_literals;

/// A stand-in for the program that computes: a shell script.
class ChildProcessTest : public testing::Test {
 protected:
  test::TempDir dir_;
  ChildReaper reaper_;
  RunContext context_;
  std::vector<Progress> progress_;

  void SetUp() override {
    context_.on_progress = [this](const Progress& progress) { progress_.push_back(progress); };
  }
  ChildCommand script(const std::string& text) {
    return {{"/bin/sh", "-c", text}, "MNIST", "predict"};
  }
  Error failureOf(const ChildCommand& command) {
    const Status status = runChild(command, reaper_, context_);
    EXPECT_FALSE(status);
    return status ? Error{} : status.error();
  }
  static bool hasNoChildren() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }
  /// Runs the script until it wrote `file`, then cancels.
  Error cancelledOnceThereIs(const std::string& file, const ChildCommand& command) {
    std::thread canceller([&] {
      while (!std::filesystem::exists(file)) {
        std::this_thread::sleep_for(1ms);
      }
      context_.control()->requestCancel();
    });
    const Error error = failureOf(command);
    canceller.join();
    return error;
  }
};

TEST_F(ChildProcessTest, AChildThatSucceedsPassesItsProgressOn) {
  const Status status = runChild(script(R"(echo '{"stage":"load","done":0,"total":0}' >&2
                         echo '{"stage":"predict","done":5,"total":20}' >&2; echo hello; exit 0)"),
                                 reaper_, context_);
  EXPECT_OK(status);
  ASSERT_EQ(progress_.size(), 2U);
  EXPECT_EQ(progress_[0].stage, "MNIST: load");
  EXPECT_EQ(progress_[1].stage, "MNIST");
  EXPECT_EQ(progress_[1].done, 5);
  EXPECT_EQ(progress_[1].total, 20);
  EXPECT_TRUE(hasNoChildren());
}

TEST_F(ChildProcessTest, AChildThatFailsHasItsLastWordsReported) {
  EXPECT_EQ(failureOf(script("echo noise >&2; echo 'sh: net.pt: is broken; mend it' >&2; exit 1"))
                .message,
            "net.pt: is broken; mend it");
  EXPECT_THAT(failureOf(script("exit 3")).message, HasSubstr("status 3"));
  EXPECT_EQ(failureOf(script("exit 130")).code, ErrorCode::kCancelled);
}

TEST_F(ChildProcessTest, AnErrorThatAChildReportsInFullKeepsItsRemedy) {
  const Error error = failureOf(script(
      R"(printf '%s\n' 'sh: b.csv: has no labels (--fit)' >&2
         printf '%s' '{"error":"b.csv: has no \u001blabels","code":0,"context":"row 3",' >&2
         printf '%s' '"remedy":{"settings":[{"name":"fit","value":"\u0001.csv",' >&2
         printf '%s\n' '"place":"option"}],"lines":"x = 1\n","needs_images":true}}' >&2
         echo noise >&2; exit 1)"));
  EXPECT_EQ(error.message, "b.csv: has no ?labels");
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error.context, "row 3");
  EXPECT_EQ(
      error.remedy,
      (Remedy{.settings = {setting("fit", "?.csv")}, .lines = "x = 1\n", .needs_images = true}));
}

TEST_F(ChildProcessTest, AnErrorThatAChildReportsHasACodeThatThereIs) {
  const auto codeOf = [this](int code) {
    return failureOf(script("echo '{\"error\":\"a\",\"code\":" + std::to_string(code) +
                            ",\"context\":5}' >&2; exit 2"))
        .code;
  };
  EXPECT_EQ(codeOf(static_cast<int>(ErrorCode::kNotFound)), ErrorCode::kNotFound);
  EXPECT_EQ(codeOf(static_cast<int>(ErrorCode::kUsage)), ErrorCode::kUsage);
  EXPECT_EQ(codeOf(static_cast<int>(ErrorCode::kUsage) + 1), ErrorCode::kInternal);
  EXPECT_EQ(codeOf(-1), ErrorCode::kInternal);
}

TEST_F(ChildProcessTest, WhatOnlyLooksLikeAReportedErrorIsAMessage) {
  for (const std::string line :
       {R"({"error":1,"code":0})", R"({"error":"a"})", R"({"error":"a","code":"0"})",
        R"({"error":"a","code":0.5})", R"({"error":"a","code":0)"}) {
    const Error error = failureOf(script("echo '" + line + "' >&2; exit 1"));
    EXPECT_EQ(error.message, line);
    EXPECT_EQ(error.code, ErrorCode::kInternal);
  }
}

TEST_F(ChildProcessTest, AChildThatCrashesEndsTheWorkWithOneMessage) {
  const Error error = failureOf(script("kill -SEGV $$"));
  EXPECT_THAT(error.message, HasSubstr("killed by signal 11 (segmentation fault)"));
  EXPECT_THAT(error.message, HasSubstr("not affected"));
  EXPECT_EQ(error.message.find('\n'), std::string::npos);
  EXPECT_TRUE(hasNoChildren());
}

TEST_F(ChildProcessTest, AChildThatTheKernelTookForItsMemoryIsSaidToBe) {
  const Error error = failureOf(script("kill -KILL $$"));
  EXPECT_EQ(error.code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(error.message, HasSubstr("killed by signal 9"));
  EXPECT_THAT(error.message, HasSubstr("memory runs out"));
}

TEST_F(ChildProcessTest, TheChildIsTheFirstToGoWhereMemoryRunsOut) {
  const std::string file = dir_.file("score");
  EXPECT_TRUE(runChild(script("cat /proc/self/oom_score_adj > " + file), reaper_, context_));
  EXPECT_EQ(test::readBytes(file), "500\n");
}

TEST_F(ChildProcessTest, CancellingAChildThatNeverEndsReturnsAndKeepsItsFolderUntilItIsGone) {
  auto kept = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = kept;
  // It hears SIGTERM and goes on all the same.
  ChildCommand command =
      script("trap '' TERM; echo $$ > " + dir_.file("up") + "; while :; do sleep 0.05; done");
  command.output_folder = std::move(kept);
  EXPECT_EQ(cancelledOnceThereIs(dir_.file("up"), command).code, ErrorCode::kCancelled);
  command.output_folder.reset();
  EXPECT_FALSE(watched.expired());  // it still may write
  EXPECT_FALSE(hasNoChildren());
  while (!watched.expired()) {
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_TRUE(hasNoChildren());
}

TEST_F(ChildProcessTest, AChildThatObeysIsGoneLongBeforeItWouldBeKilled) {
  ChildCommand command = script("trap 'echo bye > " + dir_.file("bye") + "; exit 1' TERM; echo > " +
                                dir_.file("up") + "; while :; do sleep 0.01; done");
  command.output_folder = std::make_shared<int>(1);
  const std::weak_ptr<const void> watched = command.output_folder;
  EXPECT_EQ(cancelledOnceThereIs(dir_.file("up"), command).code, ErrorCode::kCancelled);
  command.output_folder.reset();
  while (!watched.expired()) {
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(std::filesystem::exists(dir_.file("bye")));
}

TEST_F(ChildProcessTest, AReaperThatGoesKillsWhatIsLeft) {
  {
    ChildReaper reaper;
    std::thread canceller([&] {
      while (!std::filesystem::exists(dir_.file("up"))) {
        std::this_thread::sleep_for(1ms);
      }
      context_.control()->requestCancel();
    });
    EXPECT_FALSE(runChild(
        script("trap '' TERM; echo > " + dir_.file("up") + "; while :; do sleep 0.05; done"),
        reaper, context_));
    canceller.join();
  }
  EXPECT_TRUE(hasNoChildren());
}

TEST_F(ChildProcessTest, TheChildEndsWithTheProgramThatStartedIt) {
  const std::string file = dir_.file("pid");
  const ChildCommand command =
      script("echo $$ > " + file + ".part; mv " + file + ".part " + file + "; exec sleep 300");
  const pid_t program = fork();
  if (program == 0) {
    ChildReaper reaper;
    RunContext context;
    (void)runChild(command, reaper, context);
    _exit(0);
  }
  while (!std::filesystem::exists(file)) {
    std::this_thread::sleep_for(1ms);
  }
  const std::string pid = std::to_string(std::stol(test::readBytes(file)));
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  // Gone, or a zombie where nothing collects orphans.
  const auto lives = [&pid] {
    std::ifstream status("/proc/" + pid + "/stat");
    std::string number;
    std::string name;
    std::string state;
    return status >> number >> name >> state && state != "Z";
  };
  while (lives()) {
    std::this_thread::sleep_for(1ms);
  }
  SUCCEED();
}

TEST_F(ChildProcessTest, NonsenseIsNoProgress) {
  const Status status =
      runChild(script(R"(printf '{"stage":1,"done":"x"}\n{}\n{"stage":"a","done":9,"total":5}\n' >&2
                printf '{"stage":"a","done":1e99,"total":5}\n[[[[\n\0\377\376\n' >&2
                head -c 300000 /dev/zero >&2
                printf '\n{"stage":"b","done":1,"total":2}\n' >&2)"),
               reaper_, context_);
  EXPECT_OK(status);
  ASSERT_EQ(progress_.size(), 1U);
  EXPECT_EQ(progress_[0].done, 1);
  const Error error = failureOf(script(R"(printf 'a\033[31m\001 thing broke' >&2; exit 1)"));
  EXPECT_EQ(error.message, "a?[31m? thing broke");
}

TEST_F(ChildProcessTest, StoppingEarlyIsPassedOnToAChildThatListens) {
  context_.control()->requestStopEarly();
  const Status status =
      runChild(script("trap 'exit 0' USR1; echo '{\"stage\":\"a\",\"done\":1,\"total\":2}' >&2; "
                      "while :; do sleep 0.01; done"),
               reaper_, context_);
  EXPECT_OK(status);
}

TEST_F(ChildProcessTest, AProgramThatIsNotThereIsNamed) {
  const Error error = failureOf({{dir_.file("none")}, "MNIST", "predict"});
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_EQ(error.message.find(dir_.file("none") + ": cannot be started"), 0U) << error.message;
}

}  // namespace
}  // namespace dubito
