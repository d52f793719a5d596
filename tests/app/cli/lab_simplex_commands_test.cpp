// SPDX-License-Identifier: GPL-3.0-or-later
// The laboratories of the Laplace Bridge on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/labs/simplex/gaussian_choice.h"
#include "core/labs/simplex/sample_worth.h"
#include "core/labs/simplex/simplex_lab.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

test::ProcessResult lab(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {DUBITO_CLI, "lab"});
  return test::runProcess(arguments);
}

std::string okLab(const std::vector<std::string>& arguments) {
  const auto result = lab(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

TEST(CliLabSimplex, GivesTheNumbersOfTheCore) {
  GaussianChoice choice;
  choice.gaussian = "unlike-dirichlet";
  RunContext context;
  context.seed = 3;
  const auto expected = analyseSimplex(*chosenGaussian(choice, 3), {}, context);
  ASSERT_OK(expected);
  const json result = json::parse(
      okLab({"simplex", "--gaussian", "unlike-dirichlet", "--seed", "3", "--json", "-"}));
  EXPECT_EQ(result.at("mean"), json(expected->moments.mean));
  EXPECT_EQ(result.at("seed"), 3);
  EXPECT_EQ(result.at("choice").at("gaussian"), "unlike-dirichlet");
  ASSERT_EQ(result.at("approximations").size(), expected->approximations.size());
  for (std::size_t i = 0; i < expected->approximations.size(); ++i) {
    const SimplexApproximation& row = expected->approximations[i];
    EXPECT_EQ(result["approximations"][i].at("key"), row.form.key);
    if (row.comparison) {
      EXPECT_EQ(result["approximations"][i].at("alpha"), json(row.alpha));
      EXPECT_EQ(result["approximations"][i].at("divergence"), row.comparison->divergence);
      EXPECT_EQ(result["approximations"][i].at("sampled_divergence"), *row.sampled_divergence);
    }
  }
}

TEST(CliLabSimplex, WritesTextAndSamples) {
  const test::TempDir folder;
  const std::string csv = folder.file("samples.csv");
  const std::string text = okLab({"simplex", "--samples", "50", "--csv", csv});
  EXPECT_THAT(text, HasSubstr("dirichlet-like over 3 classes, 50 samples, seed 0"));
  EXPECT_THAT(text, HasSubstr("bridge-centred"));
  EXPECT_THAT(text, HasSubstr("8, 3, 2"));
  std::ifstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "p_1,p_2,p_3");
  int count = 0;
  while (std::getline(lines, line)) {
    ++count;
  }
  EXPECT_EQ(count, 50);
}

TEST(CliLabSimplex, SaysWhatItDidToAnImpossibleCovariance) {
  const std::string text = okLab(
      {"simplex", "--gaussian", "given", "--mean", "-1,0,2", "--covariance", "1,2,0;2,1,0;0,0,1"});
  EXPECT_THAT(text, HasSubstr("note: The covariance is not positive definite: its smallest "
                              "eigenvalue is -1"));
}

TEST(CliLabSimplex, RefusesWhatMakesNoSense) {
  const auto refused = [](const std::vector<std::string>& arguments, int code) {
    const auto result = lab(arguments);
    EXPECT_EQ(result.exit_code, code) << result.err;
    return result.err;
  };
  EXPECT_THAT(refused({"simplex", "--mean", "1,2"}, 2), HasSubstr("--gaussian given"));
  EXPECT_THAT(refused({"simplex", "--gaussian", "given", "--mean", "one"}, 2),
              HasSubstr("numbers separated by commas"));
  EXPECT_THAT(refused({"simplex", "--gaussian", "nothing"}, 2), HasSubstr("nothing"));
  EXPECT_THAT(refused({"simplex", "--gaussian", "random"}, 1), HasSubstr("10 logits"));
  EXPECT_THAT(refused({"samples", "--gaussian", "random", "--compare", "joint"}, 1),
              HasSubstr("needs 2 or 3 classes"));
  EXPECT_THAT(refused({"samples", "--compare", "mean", "--bins", "4"}, 2),
              HasSubstr("has no effect here"));
  EXPECT_THAT(refused({"samples", "--min-samples", "50", "--max-samples", "20"}, 2),
              HasSubstr("must be larger"));
}

TEST(CliLabSamples, GivesTheNumbersOfTheCore) {
  GaussianChoice choice;
  choice.gaussian = "flat";
  SampleWorthOptions options;
  options.truth = 5000;
  options.max_samples = 500;
  options.replicates = 3;
  RunContext context;
  const auto worth = SampleWorth::start(*chosenGaussian(choice, 7), options, 7);
  ASSERT_OK(worth);
  ASSERT_OK((*worth)->advance((*worth)->total(), context));
  const SampleWorthResult expected = (*worth)->result();
  const std::vector<std::string> arguments = {"samples", "--gaussian",    "flat", "--truth",
                                              "5000",    "--max-samples", "500",  "--replicates",
                                              "3",       "--seed",        "7"};
  std::vector<std::string> as_json = arguments;
  as_json.insert(as_json.end(), {"--json", "-"});
  const json result = json::parse(okLab(as_json));
  EXPECT_EQ(result.at("samples"), json(expected.counts));
  EXPECT_EQ(result.at("divergence"), json(expected.mean));
  ASSERT_EQ(result.at("approximations").size(), expected.approximations.size());
  for (std::size_t i = 0; i < expected.approximations.size(); ++i) {
    EXPECT_EQ(result["approximations"][i].at("divergence"), expected.approximations[i].divergence);
  }
  EXPECT_GT(result.at("times").at("seconds_per_sample").get<double>(), 0.0);
  const std::string text = okLab(arguments);
  EXPECT_THAT(text, HasSubstr(worthText(expected.approximations[0], expected.counts)));
  EXPECT_THAT(text, HasSubstr("5000 true samples, 3 replicates, seed 7"));
}

}  // namespace
}  // namespace dubito
