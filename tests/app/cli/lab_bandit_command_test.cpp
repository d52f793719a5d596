// SPDX-License-Identifier: GPL-3.0-or-later
// The bandit laboratory on the command line.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/labs/bandit/bandit_lab.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

test::ProcessResult labBandit(std::vector<std::string> arguments) {
  const std::vector<std::string> command = {DUBITO_CLI, "lab", "bandit"};
  arguments.insert(arguments.begin(), command.begin(), command.end());
  return test::runProcess(arguments);
}

json jsonOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const auto result = labBandit(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

TEST(CliLabBandit, GivesTheNumbersOfTheLaboratory) {
  const json found = jsonOf({"--delta", "0.7", "--agents", "linear,mc-dropout", "--steps", "200",
                             "--seeds", "3", "--seed", "4", "--batches", "10"});
  BanditLabOptions options;
  options.delta = 0.7;
  options.agents = {"linear", "mc-dropout"};
  options.steps = 200;
  options.seeds = 3;
  options.agent.batches = 10;
  RunContext context;
  auto lab = BanditLab::start(options, 4, context);
  ASSERT_TRUE(lab);
  ASSERT_TRUE(lab->advance(200, context));
  const BanditPicture picture = lab->picture();
  ASSERT_EQ(found.at("agents").size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const json& agent = found.at("agents")[i];
    const BanditAgentPicture& expected = picture.agents[i];
    EXPECT_EQ(agent.at("key"), expected.key);
    EXPECT_EQ(agent.at("regret").at("mean"), expected.regret.mean);
    EXPECT_EQ(agent.at("regret").at("standard_error"), expected.regret.standard_error);
    EXPECT_EQ(agent.at("normalised_regret").at("mean"), expected.normalised.mean);
    EXPECT_EQ(agent.at("regret_of_games"), expected.regret_of_games);
    EXPECT_EQ(agent.at("reward").at("mean"), expected.reward.mean);
    EXPECT_EQ(agent.at("curve").at("regret"), expected.curve.y);
    EXPECT_EQ(agent.at("curve").at("high").back(), expected.band.back().high);
    EXPECT_EQ(agent.at("pulls").at("safe arm"), expected.arm_counts[0]);
  }
  EXPECT_EQ(found.at("uniform_regret_per_round"), *picture.expected_uniform_regret);
  EXPECT_EQ(found.at("rounds"), 200);
  EXPECT_EQ(found.at("games"), 3);
  EXPECT_EQ(found.at("options").at("delta"), 0.7);
}

TEST(CliLabBandit, PlaysTheSmallWorld) {
  const json found = jsonOf({"--problem", "agent", "--steps", "300", "--seeds", "1"});
  ASSERT_EQ(found.at("agents").size(), 2U);
  const json& agent = found.at("agents")[0];
  EXPECT_EQ(agent.at("key"), "mc-dropout");
  EXPECT_FALSE(agent.contains("regret"));
  EXPECT_FALSE(agent.at("reward").contains("standard_error"));
  EXPECT_TRUE(agent.contains("eaten_good"));
  EXPECT_TRUE(agent.at("actions").contains("straight on"));
  EXPECT_EQ(agent.at("curve").at("reward").size(), 60U);
}

TEST(CliLabBandit, ReadsTablesAndWritesCurves) {
  const test::TempDir folder;
  const std::string table = (folder.path() / "table.csv").string();
  std::ofstream(table) << "a,b,kind\n1,2,x\n2,1,y\n1,3,x\n3,1,y\n";
  const std::string curves = (folder.path() / "curves.csv").string();
  const auto result = labBandit({"--problem", "csv:" + table, "--agents", "uniform", "--steps",
                                 "100", "--seeds", "2", "--csv", curves});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("Uniform"), std::string::npos);
  std::ifstream file(curves);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "agent,round,regret,low,high");
  std::getline(file, line);
  EXPECT_EQ(line, "uniform,0,0,0,0");
}

TEST(CliLabBandit, RejectsWhatHasNoEffect) {
  const auto expectError = [](const std::vector<std::string>& arguments, const std::string& text) {
    const auto result = labBandit(arguments);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
  };
  expectError({"--problem", "linear", "--delta", "0.7"}, "--problem wheel");
  expectError({"--problem", "agent", "--agents", "laplace"}, "small world");
  expectError({"--agents", "oracle"}, "unknown agent");
  expectError({"--problem", "csv:/no/such.csv"}, "such.csv");
  expectError({"--delta", "1.5"}, "--delta");
}

}  // namespace
}  // namespace dubito
