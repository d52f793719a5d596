// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/app/studies/tiny_experiment.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using test::ProcessResult;

/// The tiny experiment as a command.
std::vector<std::string> command(const std::string& folder,
                                 const std::vector<std::string>& further = {}) {
  std::vector<std::string> words = {DUBITO_STUDIES,
                                    "active-learning",
                                    test::kTinyTrain,
                                    test::kTinyTest,
                                    "-o",
                                    folder,
                                    "--pool",
                                    "100",
                                    "--initial",
                                    "8",
                                    "--draws",
                                    "4",
                                    "--per-round",
                                    "4",
                                    "--steps",
                                    "6",
                                    "--width",
                                    "0.2",
                                    "--labels",
                                    "20",
                                    "--seeds",
                                    "2",
                                    "--by",
                                    "bald,random"};
  words.insert(words.end(), further.begin(), further.end());
  return words;
}

constexpr std::array kCurveFiles = {"bald-0.json", "random-0.json", "bald-1.json", "random-1.json"};

void expectSameCurves(const std::string& folder, const std::string& other) {
  for (const std::string file : kCurveFiles) {
    EXPECT_EQ(test::readBytes(folder + "/" + file), test::readBytes(other + "/" + file)) << file;
  }
  EXPECT_EQ(test::readBytes(folder + "/curves.csv"), test::readBytes(other + "/curves.csv"));
}

TEST(ActiveLearningProgram, PrintsATableAndWritesCurves) {
  const test::TempDir dir;
  const ProcessResult result = test::runProcess(command(dir.file("o")));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("| bald | 2 |"));
  EXPECT_THAT(result.out, HasSubstr("at 20 labels |"));
  EXPECT_THAT(result.err, HasSubstr("random, seed 1: "));
  EXPECT_THAT(result.err, HasSubstr("nothing left"));
  EXPECT_THAT(test::readBytes(dir.file("o/curves.csv")), HasSubstr("\nrandom,20,2,0."));

  const ProcessResult json = test::runProcess(command(dir.file("o"), {"--print-only", "--json"}));
  ASSERT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(json.err, "");
  EXPECT_EQ(nlohmann::json::parse(json.out).at("bald").at("curve").size(), 4U);

  const ProcessResult none = test::runProcess(command(dir.file("none"), {"--print-only"}));
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("none: "));
  EXPECT_FALSE(fs::exists(dir.file("none")));
}

TEST(ActiveLearningProgram, ContinuesAfterCtrlCAndKill) {
  const test::TempDir dir;
  const auto stopBy = [&](int signal, const std::string& file) {
    bool sent = false;
    const ProcessResult stopped = test::watchProcess(command(dir.file("o")), [&](pid_t program) {
      if (!sent && fs::exists(dir.file("o/" + file))) {
        kill(program, signal);
        sent = true;
      }
    });
    EXPECT_TRUE(sent);
    return stopped;
  };
  const ProcessResult interrupted = stopBy(SIGINT, "bald-0.json");
  ASSERT_EQ(interrupted.exit_code, 130) << interrupted.err;
  EXPECT_THAT(interrupted.err, HasSubstr("dubito_studies: " + dir.file("o") +
                                         ": cancelled; the same command continues\n"));
  EXPECT_EQ(interrupted.out, "");
  EXPECT_EQ(stopBy(SIGKILL, "random-0.json").exit_code, 128 + SIGKILL);
  ASSERT_EQ(test::runProcess(command(dir.file("o"))).exit_code, 0);
  ASSERT_EQ(test::runProcess(command(dir.file("whole"))).exit_code, 0);
  expectSameCurves(dir.file("o"), dir.file("whole"));
}

TEST(ActiveLearningProgram, ComputesTheSameCurvesInSeveralProcesses) {
  if (!DUBITO_HAS_MPI) {
    GTEST_SKIP() << "built without MPI";
  }
  const test::TempDir dir;
  ASSERT_EQ(test::runProcess(command(dir.file("one"))).exit_code, 0);
  std::vector<std::string> launched{"/usr/bin/env", "OMPI_ALLOW_RUN_AS_ROOT=1",
                                    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
  if (test::kSanitized) {
    // Open MPI keeps memory in plug-ins that are gone, without a name, when leaks are counted.
    launched.emplace_back("ASAN_OPTIONS=detect_leaks=0");
  }
  launched.insert(launched.end(), {"mpirun", "--oversubscribe", "-n", "3"});
  const auto together = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = launched;
    all.insert(all.end(), words.begin(), words.end());
    return test::runProcess(all);
  };
  const ProcessResult result = together(command(dir.file("three")));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find("| bald |"), result.out.rfind("| bald |")) << "one of them prints";
  expectSameCurves(dir.file("three"), dir.file("one"));

  const ProcessResult refused = together(command(dir.file("three"), {"--batch", "32"}));
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("was made with batch 64 instead of 32"));
  EXPECT_EQ(refused.err.find("dubito_studies: "), refused.err.rfind("dubito_studies: "))
      << refused.err;
}

}  // namespace
}  // namespace dubito
