// SPDX-License-Identifier: GPL-3.0-or-later
// The sampler laboratory on the command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/labs/sampling/sampler_lab.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;

test::ProcessResult labSampler(std::vector<std::string> arguments) {
  const std::vector<std::string> command = {DUBITO_CLI, "lab", "sampler"};
  arguments.insert(arguments.begin(), command.begin(), command.end());
  return test::runProcess(arguments);
}

json jsonOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const auto result = labSampler(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

TEST(CliLabSampler, GivesTheNumbersOfTheLaboratory) {
  const json found = jsonOf({"--density", "gaussian", "--correlation", "0.5", "--sampler",
                             "metropolis", "--seed", "3", "--transitions", "1200"});
  RunContext context;
  auto lab =
      SamplerLab::start({.density = "gaussian", .correlation = 0.5, .sampler = "metropolis"}, 3);
  ASSERT_TRUE(lab);
  ASSERT_TRUE(lab->advance(1200, context));
  const SamplerPicture picture = lab->picture();
  EXPECT_EQ(found.at("mean"), picture.moments.mean);
  EXPECT_EQ(found.at("covariance")[0][1], picture.moments.covariance[1]);
  EXPECT_EQ(found.at("covariance")[1][1], picture.moments.covariance[3]);
  EXPECT_EQ(found.at("rhat"), picture.rhat);
  EXPECT_EQ(found.at("ess"), picture.ess);
  EXPECT_EQ(found.at("acceptance"), picture.acceptance);
  EXPECT_EQ(found.at("step_size"), picture.step_size);
  EXPECT_EQ(found.at("autocorrelation").at("value"), picture.autocorrelation.y);
  EXPECT_EQ(found.at("exact").at("covariance"), json::parse("[[1.0, 0.5], [0.5, 1.0]]"));
  EXPECT_EQ(found.at("exact").at("is_integrated"), false);
  EXPECT_EQ(found.at("divergences"), 0);
  EXPECT_EQ(found.at("options").at("density"), "gaussian");
  EXPECT_GE(found.at("seconds").get<double>(), 0.0);
}

TEST(CliLabSampler, LeavesOutWhatASamplerDoesNotGive) {
  const json found = jsonOf({"--sampler", "langevin", "--transitions", "201"});
  EXPECT_FALSE(found.contains("acceptance"));
  EXPECT_FALSE(found.contains("rhat"));
  EXPECT_FALSE(found.at("warnings").empty());
}

TEST(CliLabSampler, ReportsTheTreesOfNuts) {
  const json found = jsonOf({"--sampler", "nuts", "--seed", "2", "--transitions", "700"});
  EXPECT_GT(found.at("tree_depth").get<double>(), 0.5);
  EXPECT_LE(found.at("tree_depth").get<double>(), 10.0);
  EXPECT_GE(found.at("leapfrog_steps").get<double>(), 1.0);
  EXPECT_TRUE(found.contains("acceptance"));
  const json hmc = jsonOf({"--leapfrog-steps", "7", "--transitions", "300"});
  EXPECT_EQ(hmc.at("leapfrog_steps"), 7.0);
  EXPECT_FALSE(hmc.contains("tree_depth"));
  const json metropolis = jsonOf({"--sampler", "metropolis", "--transitions", "300"});
  EXPECT_FALSE(metropolis.contains("leapfrog_steps"));
  const auto refused = labSampler({"--sampler", "nuts", "--leapfrog-steps", "3"});
  EXPECT_EQ(refused.exit_code, 2);
  const auto text = labSampler({"--sampler", "nuts", "--transitions", "300"});
  EXPECT_NE(text.out.find("tree depth"), std::string::npos) << text.out;
}

TEST(CliLabSampler, SaysThatAStepIsTooLarge) {
  const auto result =
      labSampler({"--step-size", "30", "--adapt=false", "--warm-up", "0", "--transitions", "100"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("transitions diverged"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("variance of x"), std::string::npos);
}

TEST(CliLabSampler, WritesTheStates) {
  const test::TempDir folder;
  const std::string path = folder.file("states.csv");
  const json found = jsonOf({"--chains", "2", "--warm-up", "10", "--transitions", "60", "--start",
                             "1.5", "-2", "--csv", path});
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "chain,transition,x,y");
  int count = 0;
  double sum = 0.0;
  while (std::getline(file, line)) {
    ++count;
    sum += std::stod(line.substr(line.find(',', line.find(',') + 1) + 1));
  }
  EXPECT_EQ(count, 100);
  EXPECT_NEAR(sum / count, found.at("mean")[0].get<double>(), 1e-9);
}

TEST(CliLabSampler, RefusesFlagsWithoutEffect) {
  const auto result = labSampler({"--sampler", "metropolis", "--leapfrog-steps", "3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--sampler hmc"), std::string::npos) << result.err;
  EXPECT_EQ(labSampler({"--density", "square"}).exit_code, 2);
  EXPECT_EQ(labSampler({"--start", "1"}).exit_code, 2);
}

}  // namespace
}  // namespace dubito
