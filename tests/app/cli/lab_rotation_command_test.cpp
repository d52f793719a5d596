// SPDX-License-Identifier: GPL-3.0-or-later
// The laboratory of the rotated digit on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/labs/rotation/rotation_lab.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string sampleFile(const std::string& name) {
  return (test::sourceDir() / "datasets/samples" / name).string();
}

std::string digits() {
  return "idx:" + sampleFile("mnist-2000-images-idx3-ubyte.gz") + "," +
         sampleFile("mnist-2000-labels-idx1-ubyte.gz");
}

test::ProcessResult rotation(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(),
                   {DUBITO_CLI, "lab", "rotation", "--model", sampleFile("lenet-mnist.pt"),
                    "--data", digits(), "--threads", "1"});
  return test::runProcess(arguments);
}

json okRotation(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const auto result = rotation(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

TEST(CliLabRotation, GivesTheNumbersOfTheCore) {
  RunContext context;
  context.seed = 5;
  const auto model = loadModel(sampleFile("lenet-mnist.pt"), {}, context);
  const auto dataset = openDataset(digits(), context);
  ASSERT_OK(model);
  ASSERT_OK(dataset);
  RotationOptions options;
  options.steps = 4;
  options.draws = 6;
  const auto expected = followItem(**model, **dataset, 2, options, context);
  ASSERT_OK(expected);
  const json result = okRotation({"--item", "2", "-T", "6", "--steps", "4", "--seed", "5"});
  EXPECT_EQ(result.at("positions"), json(expected->path.positions));
  EXPECT_EQ(result.at("method"), "mc-dropout");
  EXPECT_EQ(result.at("draws"), 6);
  EXPECT_EQ(result.at("inputs_are"), "logits");
  EXPECT_EQ(result.at("label"), 1);
  ASSERT_EQ(result.at("classes").size(), 3U);
  for (std::size_t c = 0; c < 3; ++c) {
    const json& shown = result["classes"][c];
    const std::int64_t k = expected->classes[c];
    EXPECT_EQ(shown.at("class"), k);
    for (std::size_t step = 0; step < 4; ++step) {
      for (std::size_t t = 0; t < 6; ++t) {
        const std::size_t at = (t * 4 + step) * 10 + static_cast<std::size_t>(k);
        EXPECT_NEAR(shown.at("inputs")[step][t].get<double>(), expected->inputs.data()[at], 1e-5);
        EXPECT_NEAR(shown.at("outputs")[step][t].get<double>(), expected->outputs.data()[at], 1e-6);
      }
    }
  }
  for (std::size_t step = 0; step < 4; ++step) {
    EXPECT_NEAR(result.at("mutual_information")[step].get<double>(),
                expected->summary.mutual_information.data()[step], 1e-6);
  }
}

TEST(CliLabRotation, WalksCorruptsAndWritesDraws) {
  const test::TempDir folder;
  const std::string csv = folder.file("draws.csv");
  const json walk = okRotation({"--item", "2", "--to", "0", "--steps", "3", "--draws", "4",
                                "--classes", "1,7", "--csv", csv});
  EXPECT_EQ(walk.at("positions"), json({0.0, 0.5, 1.0}));
  std::ifstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "position,draw,class,input,output");
  int count = 0;
  while (std::getline(lines, line)) {
    ++count;
  }
  EXPECT_EQ(count, 3 * 4 * 2);
  const json noise =
      okRotation({"--corruption", "noise", "--end", "2", "--steps", "2", "--method", "map"});
  EXPECT_EQ(noise.at("positions"), json({0.0, 2.0}));
  EXPECT_EQ(noise.at("draws"), 1);
  EXPECT_FALSE(noise.contains("mutual_information"));
  const auto text = rotation({"--item", "2", "-T", "4", "--steps", "3"});
  EXPECT_THAT(text.out, HasSubstr("epistemic"));
}

TEST(CliLabRotation, WhatCannotBeFollowedIsASentence) {
  const auto both = rotation({"--to", "3", "--corruption", "noise"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("--corruption"));
  const auto item = rotation({"--item", "2000"});
  EXPECT_EQ(item.exit_code, 1);
  EXPECT_THAT(item.err, HasSubstr("has no item 2000"));
  const auto draws = rotation({"-T", "0"});
  EXPECT_EQ(draws.exit_code, 2);
  EXPECT_EQ(test::runProcess({DUBITO_CLI, "lab", "rotation"}).exit_code, 2);
}

}  // namespace
}  // namespace dubito
