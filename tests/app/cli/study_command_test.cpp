// SPDX-License-Identifier: GPL-3.0-or-later
// A study on the command line: interrupted, killed, by several processes, and checked by the other
// commands.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/core/study/tiny_study.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class StudyCommand : public testing::Test {
 protected:
  static std::vector<std::string> command(const std::string& study, const std::string& output,
                                          const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{DUBITO_CLI, "study", study, "-o", output, "--no-pdf"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  [[nodiscard]] std::string write(const json& study, const std::string& name = "study.json") const {
    test::writeBytes(folder_.file(name), study.dump(1));
    return folder_.file(name);
  }
  [[nodiscard]] std::string at(const std::string& name) const { return folder_.file(name); }
  static json tableOf(const std::string& output) {
    return json::parse(test::readBytes(fs::path(output) / "table.json"));
  }
  /// Longer trainings, so that an interruption finds something to interrupt.
  static json slowStudy() {
    json study = test::tinyStudy();
    for (json& network : study["networks"]) {
      network["train"]["epochs"] = 40;
    }
    return study;
  }

  test::TempDir folder_;
};

/// The only file in a folder whose name has these parts.
std::string fileWith(const fs::path& folder, const std::string& begin, const std::string& end) {
  std::string found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(begin) && name.ends_with(end)) {
      EXPECT_TRUE(found.empty()) << found << " and " << name;
      found = entry.path().string();
    }
  }
  return found;
}

TEST_F(StudyCommand, TheTableHasTheNumbersOfEvaluate) {
  const auto result = test::runProcess(command(write(test::tinyStudy()), at("out")));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("trained plain, seed 1"));
  EXPECT_THAT(result.out, HasSubstr("158 results: 0 were there"));
  for (const char* const name :
       {"table.csv", "table.json", "table.tex", "metrics.csv", "labelling.csv", "report.html"}) {
    EXPECT_TRUE(fs::exists(fs::path(at("out")) / name)) << name;
  }
  const json table = tableOf(at("out"));
  const fs::path runs = fs::path(at("out")) / "runs";
  for (const auto& [network, method, files] : {std::tuple("plain", "map", "plain.map"),
                                               {"fixed", "dropout", "fixed.mc-dropout"},
                                               {"plain", "ensemble", "plain.ensemble-map"}}) {
    const auto row = std::ranges::find_if(table.at("rows"), [&](const json& one) {
      return one.at("target") == "noise 1" && one.at("network") == network &&
             one.at("method") == method;
    });
    ASSERT_NE(row, table.at("rows").end());
    const auto run = [&](const std::string& set, int seed) {
      return fileWith(runs, std::string(files) + "." + set + ".seed" + std::to_string(seed),
                      ".npz");
    };
    const auto evaluated = test::runProcess(
        {DUBITO_CLI, "evaluate", run("noise_1", 1), "--seed-run", run("noise_1", 2), "--ood",
         "moons=" + run("moons", 1) + "," + run("moons", 2), "--json", "-"});
    ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
    EXPECT_EQ(row->at("metrics"), json::parse(evaluated.out).at("metrics")) << method;
  }
}

TEST_F(StudyCommand, ThePdfIsMadeByTheProgramOfTheWindowIfItIsThere) {
  json study = test::tinyStudy();
  study["methods"] = {study["methods"][0]};
  study["seeds"] = {1};
  const std::string file = write(study);
  const std::string pdf = at("out/report.pdf");
  auto arguments = command(file, at("out"), {"--json"});
  std::erase(arguments, "--no-pdf");
  const auto result = test::runProcess(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto written = json::parse(result.out).at("written").get<std::vector<std::string>>();
  const bool is_written = std::ranges::count(written, pdf) > 0;
  // The presets without Qt build no such program.
  if (fs::exists(fs::path(DUBITO_CLI).parent_path() / "dubito")) {
    EXPECT_TRUE(is_written) << result.err;
    EXPECT_TRUE(test::readBytes(pdf).starts_with("%PDF"));
    EXPECT_THAT(result.err, Not(HasSubstr("report.pdf")));
  } else {
    EXPECT_FALSE(is_written);
    EXPECT_FALSE(fs::exists(pdf));
    EXPECT_THAT(result.err, HasSubstr(pdf + ": not written ("));
    EXPECT_THAT(result.err, HasSubstr("is not installed"));
  }
  // One of earlier numbers does not stay.
  test::writeBytes(pdf, "old");
  const auto again = test::runProcess(command(file, at("out"), {"--resume"}));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_FALSE(fs::exists(pdf));
  EXPECT_THAT(again.err, Not(HasSubstr("report.pdf")));
}

TEST_F(StudyCommand, ErrorsNameFileLineAndValue) {
  const auto failureOf = [this](const std::string& study) {
    const auto result = test::runProcess(command(study, at("out")));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_FALSE(fs::exists(at("out")));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_THAT(failureOf(at("none.json")), HasSubstr("none.json"));
  test::writeBytes(at("broken.json"), "{\n \"name\": \"x\",\n \"source\" 3\n}\n");
  EXPECT_THAT(failureOf(at("broken.json")), HasSubstr("broken.json, line 3"));
  json study = test::tinyStudy();
  study["networks"][0]["train"]["epoch"] = 3;
  EXPECT_THAT(failureOf(write(study)), HasSubstr("networks[0].train.epoch: train has no such"));
  study = test::tinyStudy();
  study["ood"][0]["data"] = "npz:" + at("none.npz");
  const std::string missing = failureOf(write(study));
  EXPECT_THAT(missing, HasSubstr("study.json, line "));
  EXPECT_THAT(missing, HasSubstr("ood[0].data: "));
}

TEST_F(StudyCommand, AnInterruptedStudyContinues) {
  const std::string study = write(slowStudy());
  const auto whole = test::runProcess(command(study, at("whole")));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  for (const int milliseconds : {300, 900, 2000}) {
    const std::string output = at("cut" + std::to_string(milliseconds));
    const auto cut =
        test::runProcess(command(study, output), std::chrono::milliseconds(milliseconds));
    // A machine that is fast enough to be ready by then has nothing to continue.
    EXPECT_TRUE(cut.exit_code == 130 || cut.exit_code == 0) << cut.err;
    const auto resumed = test::runProcess(command(study, output, {"--resume"}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(tableOf(output), tableOf(at("whole")));
  }
}

TEST_F(StudyCommand, AKilledStudyContinues) {
  const std::string study = write(test::tinyStudy());
  ASSERT_EQ(test::runProcess(command(study, at("whole"))).exit_code, 0);
  // Kills it when so many results are there.
  for (const std::ptrdiff_t results : {1, 20, 90}) {
    const std::string output = at("killed" + std::to_string(results));
    const auto killed = test::watchProcess(command(study, output), [&](pid_t process) {
      std::error_code ignored;
      const fs::directory_iterator files(fs::path(output) / "runs", ignored);
      if (!ignored && std::distance(begin(files), end(files)) >= results) {
        kill(process, SIGKILL);
      }
    });
    EXPECT_TRUE(killed.exit_code == 137 || killed.exit_code == 0) << killed.exit_code;
    const auto resumed = test::runProcess(command(study, output, {"--resume"}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(tableOf(output), tableOf(at("whole")));
  }
}

TEST_F(StudyCommand, ProcessesShareTheWork) {
#ifndef DUBITO_TESTS_MPI
  GTEST_SKIP() << "built without MPI";
#else
  const std::string study = write(test::tinyStudy());
  ASSERT_EQ(test::runProcess(command(study, at("alone"))).exit_code, 0);
  std::vector<std::string> launched{"/usr/bin/env",
                                    "OMPI_ALLOW_RUN_AS_ROOT=1",
                                    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                    "mpirun",
                                    "--oversubscribe",
                                    "-n",
                                    "2"};
  const auto shared = command(study, at("shared"), {"--json"});
  launched.insert(launched.end(), shared.begin(), shared.end());
  const auto result = test::runProcess(launched);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report.at("trained"), 5);
  EXPECT_EQ(report.at("predicted"), 85);
  EXPECT_EQ(tableOf(at("shared")), tableOf(at("alone")));
#endif
}

TEST_F(StudyCommand, FailuresAreCountedInTheExitCode) {
  json study = test::tinyStudy();
  study["networks"][1]["train"] = {{"architecture", "lenet"}};
  const auto result = test::runProcess(command(write(study), at("out")));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("2 results failed and 12 that need them were left out"));
  EXPECT_EQ(tableOf(at("out")).at("rows").size(), 10U);
}

}  // namespace
}  // namespace dubito
