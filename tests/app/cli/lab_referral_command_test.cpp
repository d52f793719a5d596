// SPDX-License-Identifier: GPL-3.0-or-later
// The laboratory of referral on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/io/run_file.h"
#include "core/labs/referral/referral_lab.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

test::ProcessResult referral(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {DUBITO_CLI, "lab", "referral"});
  return test::runProcess(arguments);
}

std::string okReferral(const std::vector<std::string>& arguments) {
  const auto result = referral(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

struct ReferralFiles {
  test::TempDir folder;
  dubito::Run run = test::randomRun(300, 2, 2.0, 1, true, true);
  std::string labelled = folder.file("run.npz");
  std::string unlabelled = folder.file("unlabelled.npz");
  std::string many = folder.file("many.npz");

  ReferralFiles() {
    RunContext context;
    EXPECT_OK(writeRun(run, labelled, context));
    EXPECT_OK(writeRun(test::randomRun(30, 4, 2.0, 2, false, false), unlabelled, context));
    EXPECT_OK(writeRun(test::randomRun(30, 4, 2.0, 3, true, false), many, context));
  }
};

TEST(CliLabReferral, GivesTheNumbersOfTheCore) {
  const ReferralFiles files;
  ReferralOptions options;
  options.look_cost = 0.5;
  options.false_positive_cost = 2.0;
  options.false_negative_cost = 9.0;
  RunContext context;
  const auto ranking = rankReferral(files.run, options, context);
  ASSERT_OK(ranking);
  const auto costs = costsOfReferral(*ranking, options);
  ASSERT_OK(costs);
  const json result =
      json::parse(okReferral({files.labelled, "--look-cost", "0.5", "--false-positive-cost", "2",
                              "--false-negative-cost", "9", "--json", "-"}));
  EXPECT_EQ(result.at("cost_of_none"), costs->none);
  EXPECT_EQ(result.at("cost_of_oracle"), costs->oracle);
  EXPECT_EQ(result.at("errors"), ranking->errors());
  ASSERT_EQ(result.at("measures").size(), costs->measures.size());
  for (std::size_t i = 0; i < costs->measures.size(); ++i) {
    const MeasureCosts& by = costs->measures[i];
    const json& row = result["measures"].at(describe(by.measure).key);
    EXPECT_EQ(row.at("optimum").at("cost"), by.optimum.cost);
    EXPECT_EQ(row.at("optimum").at("referred"), by.optimum.referred);
    ASSERT_EQ(row.at("rules").size(), by.rules.size());
    EXPECT_EQ(row["rules"].front().at("cost"), costs->none);
    EXPECT_FALSE(row["rules"].back().contains("threshold"));
    EXPECT_EQ(row.at("roc").at(1).at("auroc"), ranking->measures[i].roc[1].summary);
  }
}

TEST(CliLabReferral, WritesTextAndRules) {
  const ReferralFiles files;
  const std::string csv = files.folder.file("rules.csv");
  const std::string text = okReferral({files.labelled, "--measures", "entropy", "--csv", csv});
  EXPECT_THAT(text, HasSubstr("300 labelled items"));
  EXPECT_THAT(text, HasSubstr("refer all"));
  std::ifstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "measure,threshold,share,referred,errors,cost");
  std::getline(lines, line);
  EXPECT_THAT(line, HasSubstr("entropy,"));
}

TEST(CliLabReferral, WhatCannotBeComputedIsASentence) {
  const ReferralFiles files;
  const auto unlabelled = referral({files.unlabelled});
  EXPECT_EQ(unlabelled.exit_code, 1);
  EXPECT_THAT(unlabelled.err, HasSubstr("no labelled items"));
  const auto many =
      referral({files.many, "--false-positive-cost", "1", "--false-negative-cost", "1"});
  EXPECT_EQ(many.exit_code, 1);
  EXPECT_THAT(many.err, HasSubstr("the run has 4 classes"));
  const auto half = referral({files.labelled, "--false-positive-cost", "1"});
  EXPECT_EQ(half.exit_code, 2);
  EXPECT_THAT(half.err, HasSubstr("give both or neither"));
  EXPECT_EQ(referral({files.folder.file("missing.npz")}).exit_code, 1);
}

}  // namespace
}  // namespace dubito
