// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the published regression sets on the command line.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/labs/uci/uci_result.h"
#include "core/labs/uci/uci_run.h"
#include "core/labs/uci/uci_table.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

class CliUci : public ::testing::Test {
 protected:
  static test::ProcessResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), DUBITO_CLI);
    return test::runProcess(arguments);
  }
  /// Interrupts it as soon as `file` exists.
  static test::ProcessResult runUntil(const std::string& file, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), DUBITO_CLI);
    bool sent = false;
    return test::watchProcess(arguments, [&](pid_t child) {
      if (!sent && std::filesystem::exists(file)) {
        kill(child, SIGINT);
        sent = true;
      }
    });
  }
  [[nodiscard]] std::vector<std::string> quick(const std::string& output) const {
    return {"uci",     "yacht", "--method",           "laplace", "--method", "mc-dropout-1x",
            "-o",      output,  "--splits",           "3",       "--epochs", "2",
            "--draws", "30",    "--validation-draws", "10"};
  }
  /// The results without the seconds.
  static json resultsOf(const json& report) {
    json results = report.at("results");
    for (json& result : results) {
      result.erase("seconds");
    }
    return results;
  }

  test::TempDir folder_;
  std::string output_ = folder_.file("results");
};

TEST_F(CliUci, GivesTheNumbersOfTheCore) {
  DUBITO_NEEDS_SHARED();
  auto arguments = quick(output_);
  arguments.insert(arguments.end(), {"--seed", "7", "--threads", "2", "--json", "-"});
  const auto result = run(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  RunContext context;
  context.seed = 7;
  ASSERT_OK(runUci({.data_folder = (*test::sharedDir() / "datasets" / "uci").string(),
                    .result_folder = folder_.file("alone"),
                    .sets = {"yacht"},
                    .methods = {"laplace", "mc-dropout-1x"},
                    .splits = 3},
                   {.draws = 30, .validation_draws = 10, .epochs = 2}, context));
  const auto alone = readUciResults(folder_.file("alone"));
  ASSERT_OK(alone);
  json expected = json::array();
  for (const UciResult& one : *alone) {
    expected.push_back(uciResultToJson(one));
    expected.back().erase("seconds");
  }
  EXPECT_EQ(resultsOf(report), expected);
  EXPECT_EQ(report.at("sets"), uciTableToJson(uciTable(*alone)).at("sets"));
  // The laboratory reads the folder, and the file of --json.
  const auto shown = run({"lab", "uci", output_, "--json", folder_.file("table.json")});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("Yacht hydrodynamics (308 items, 6 inputs)"));
  EXPECT_THAT(shown.out, HasSubstr("3/20"));
  EXPECT_THAT(shown.out, HasSubstr("published: dropout-2018"));
  const auto again = run({"lab", "uci", folder_.file("table.json"), "--json", "-"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(json::parse(again.out), report);
}

TEST_F(CliUci, AnInterruptedTableIsContinued) {
  DUBITO_NEEDS_SHARED();
  const std::vector<std::string> slow = {
      "uci", "yacht",   "--method", "mc-dropout-1x",      "-o",  output_,     "--epochs",
      "60",  "--draws", "200",      "--validation-draws", "100", "--threads", "1"};
  // Of twenty splits, most are left after the first one.
  const auto cut = runUntil(output_ + "/yacht.mc-dropout-1x.00.json", slow);
  ASSERT_EQ(cut.exit_code, 130) << cut.err;
  for (const auto& entry : std::filesystem::directory_iterator(output_)) {
    EXPECT_OK(readUciResult(entry.path().string()));
  }
  ASSERT_LT(std::distance(std::filesystem::directory_iterator(output_), {}), 20);
  auto resumed = slow;
  resumed.insert(resumed.end(), {"--resume", "--json", "-"});
  const auto finished = run(resumed);
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  auto whole = slow;
  whole[5] = folder_.file("whole");
  whole.insert(whole.end(), {"--json", "-"});
  const auto expected = run(whole);
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  EXPECT_EQ(resultsOf(json::parse(finished.out)), resultsOf(json::parse(expected.out)));
}

TEST_F(CliUci, PartsTogetherAreTheWhole) {
  DUBITO_NEEDS_SHARED();
  for (const char* const part : {"1", "0"}) {
    auto arguments = quick(output_);
    arguments.insert(arguments.end(), {"--part", part, "--parts", "2", "--resume"});
    ASSERT_EQ(run(arguments).exit_code, 0);
  }
  const auto results = readUciResults(output_);
  ASSERT_OK(results);
  EXPECT_EQ(results->size(), 6U);
}

TEST_F(CliUci, TheSampleIsShownWithoutAFolder) {
  const auto shown = run({"lab", "uci"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("Boston housing"));
  EXPECT_THAT(shown.out, HasSubstr("MC dropout"));
}

TEST_F(CliUci, SaysWhatIsWrong) {
  DUBITO_NEEDS_SHARED();
  const auto messageOf = [&](const std::vector<std::string>& arguments, int exit_code) {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    return result.err;
  };
  EXPECT_THAT(messageOf({"uci", "mnist", "-o", output_}, 1), HasSubstr("there is no such set"));
  EXPECT_THAT(messageOf({"uci", "yacht", "--method", "x", "-o", output_}, 1),
              HasSubstr("there is no such method"));
  EXPECT_THAT(messageOf({"uci", "yacht", "-o", output_, "--part", "2", "--parts", "2"}, 2),
              HasSubstr("parts count from 0 to 1"));
  EXPECT_THAT(messageOf({"uci", "yacht", "-o", output_, "--draws", "0"}, 2),
              testing::AllOf(HasSubstr("Draws is 0"), HasSubstr("(--draws)")));
  EXPECT_THAT(messageOf({"uci", "yacht", "-o", output_, "--data", folder_.file("none")}, 1),
              HasSubstr("there is no such folder; give the folder of the sets with --data"));
  EXPECT_THAT(messageOf({"lab", "uci", folder_.path().string()}, 1), HasSubstr("has no results"));
  ASSERT_EQ(run(quick(output_)).exit_code, 0);
  EXPECT_THAT(messageOf(quick(output_), 1),
              HasSubstr("keep it and continue, or use another folder (--resume)"));
  test::writeBytes(output_ + "/yacht.laplace.00.json", "{");
  EXPECT_THAT(messageOf({"lab", "uci", output_}, 1),
              HasSubstr("yacht.laplace.00.json: is not JSON, or is incomplete; delete it"));
}

}  // namespace
}  // namespace dubito
