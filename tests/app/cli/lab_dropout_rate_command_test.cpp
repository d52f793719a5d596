// SPDX-License-Identifier: GPL-3.0-or-later
// The laboratory of the dropout rate on the command line.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/labs/dropout_rate/dropout_rate_lab.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

test::ProcessResult labDropoutRate(std::vector<std::string> arguments) {
  const std::vector<std::string> command = {DUBITO_CLI, "lab", "dropout-rate", "--hidden", "16",
                                            "--points", "30",  "--steps",      "60"};
  arguments.insert(arguments.begin(), command.begin(), command.end());
  return test::runProcess(arguments);
}

TEST(CliLabDropoutRate, GivesTheNumbersOfTheLaboratory) {
  const auto result = labDropoutRate({"--seed", "3", "--starts", "3", "--baseline", "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json found = json::parse(result.out);
  DropoutRateOptions options;
  options.hidden = 16;
  options.points = 30;
  options.steps = 60;
  options.starts = 3;
  options.baseline = true;
  RunContext context;
  const auto lab = DropoutRateLab::start(options, 3).value();
  ASSERT_TRUE(lab->advance(60, context));
  const DropoutRatePicture picture = lab->picture(context);
  EXPECT_EQ(found.at("steps"), 60);
  EXPECT_EQ(found.at("seed"), 3);
  EXPECT_EQ(found.at("options").at("baseline"), true);
  EXPECT_EQ(found.at("best_keep"), picture.grid[picture.best].keep);
  ASSERT_EQ(found.at("starts").size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const RateTrajectory& run = picture.trajectories[i];
    const json& start = found.at("starts")[i];
    EXPECT_EQ(start.at("estimator"), i < 3 ? "score" : "concrete");
    EXPECT_EQ(start.at("start"), run.start);
    EXPECT_EQ(start.at("keep"), run.keep);
    EXPECT_EQ(start.at("end"), keyOf(run.end));
    EXPECT_EQ(start.at("mean_keep"), run.mean_keep);
    EXPECT_EQ(start.at("elbo").at("total"), run.elbo.total());
    EXPECT_EQ(start.at("elbo").at("entropy"), run.elbo.entropy);
    EXPECT_EQ(start.at("trace").at("keep"), run.keeps.y);
    EXPECT_EQ(start.at("trace").at("elbo"), run.elbos.y);
  }
  ASSERT_EQ(found.at("grid").size(), picture.grid.size());
  for (std::size_t i = 0; i < picture.grid.size(); ++i) {
    EXPECT_EQ(found.at("grid")[i].at("keep"), picture.grid[i].keep);
    EXPECT_EQ(found.at("grid")[i].at("elbo").at("total"), picture.grid[i].elbo.total());
    EXPECT_EQ(found.at("grid")[i].at("estimate"), picture.grid[i].estimate);
    EXPECT_EQ(found.at("grid")[i].at("standard_error"), picture.grid[i].standard_error);
    EXPECT_EQ(found.at("grid")[i].at("tail_mean"), picture.grid[i].tail_mean);
  }
}

TEST(CliLabDropoutRate, WritesTheTrajectories) {
  const test::TempDir folder;
  const std::string path = folder.file("rates.csv");
  const auto result = labDropoutRate({"--starts", "2", "--csv", path});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("largest ELBO of the grid"), std::string::npos) << result.out;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "estimator,start,step,keep,elbo");
  int count = 0;
  while (std::getline(file, line)) {
    ++count;
  }
  EXPECT_EQ(count, 3 * 60);
}

TEST(CliLabDropoutRate, RefusesWhatCannotBe) {
  auto result = labDropoutRate({"--estimator", "exact", "--baseline"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--estimator score"), std::string::npos) << result.err;
  result = labDropoutRate({"--margin", "0.7"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--margin"), std::string::npos) << result.err;
  result = labDropoutRate({"--rate-step", "nan"});
  EXPECT_EQ(result.exit_code, 2);
  result = labDropoutRate({"--learning-rate", "10"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("lower the learning rate"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace dubito
