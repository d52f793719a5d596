// SPDX-License-Identifier: GPL-3.0-or-later
// Runs evaluated with the labels of a label store in place of the given ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/io/run_file.h"
#include "core/labels/label_store.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CliReviewedLabels : public testing::Test {
 protected:
  static constexpr std::int64_t kItems = 200;

  test::TempDir dir_;
  dubito::Run run_ = test::randomRun(kItems, 3, 6.0, 1, true, false);
  std::string run_file_ = dir_.file("run.npz");
  std::string place_ = dir_.file("animals.labels");
  std::int64_t wrong_row_ = 0;  ///< first row that is predicted wrongly

  void SetUp() override {
    run_.meta.class_names = {"cat", "dog", "fox"};
    run_.meta.dataset_name = "animals";
    run_.meta.dataset_spec = "folder:animals";
    RunContext context;
    ASSERT_OK(writeRun(run_, run_file_, context));
    while (run_.labels.data()[wrong_row_] == run_.predictions.data()[wrong_row_]) {
      ++wrong_row_;
    }
  }
  static test::ProcessResult cli(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), DUBITO_CLI);
    return test::runProcess(arguments);
  }
  json evaluated(std::vector<std::string> more, const std::string& file) const {
    std::vector<std::string> arguments{"evaluate", file, "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  std::string refused(const std::vector<std::string>& arguments) const {
    const auto result = cli(arguments);
    EXPECT_NE(result.exit_code, 0) << result.out;
    return result.err;
  }
  /// Decides that the prediction of a row is right.
  void confirmPrediction(std::int64_t row) const {
    const auto result = cli({"review", "decide", place_, "--run", run_file_, "--item",
                             std::to_string(run_.ids.data()[row]), "--class",
                             run_.className(run_.predictions.data()[row])});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
};

std::string textOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(CliReviewedLabels, EvaluateCountsADecisionAndNamesTheLabels) {
  confirmPrediction(wrong_row_);
  const json given = evaluated({}, run_file_);
  const json reviewed = evaluated({"--labels", place_}, run_file_);
  EXPECT_NEAR(reviewed.at("accuracy").get<double>() - given.at("accuracy").get<double>(),
              1.0 / kItems, 1e-12);
  const std::string text = "reviewed labels (animals.labels, 1 of 200 changed)";
  EXPECT_EQ(reviewed.at("labels"), text);
  EXPECT_EQ(reviewed.at("notes").at(0), text);
  EXPECT_EQ(reviewed.at("reviewed_labels").at("changed"), 1);
  EXPECT_FALSE(given.contains("labels"));
  EXPECT_FALSE(given.contains("reviewed_labels"));
}

TEST_F(CliReviewedLabels, TablesNameThemToo) {
  confirmPrediction(wrong_row_);
  const std::string text = "reviewed labels (animals.labels, 1 of 200 changed)";
  const auto result = cli({"evaluate", run_file_, "--labels", place_, "--csv", dir_.file("tables"),
                           "--items-csv", dir_.file("items.csv")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("note: " + text + "\n"));
  EXPECT_THAT(textOf(dir_.file("tables/metrics.csv")), HasSubstr(text));
  EXPECT_THAT(textOf(dir_.file("items.csv")), HasSubstr("\"" + text + "\""));
}

TEST_F(CliReviewedLabels, ConvertWritesARunThatKeepsThem) {
  confirmPrediction(wrong_row_);
  const std::string converted = dir_.file("reviewed.npz");
  const auto result = cli({"convert", run_file_, "--labels", place_, "-o", converted});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json of_file = evaluated({}, converted);
  EXPECT_EQ(of_file.at("accuracy"), evaluated({"--labels", place_}, run_file_).at("accuracy"));
  EXPECT_EQ(of_file.at("labels"), "reviewed labels (animals.labels, 1 of 200 changed)");
  EXPECT_THAT(refused({"evaluate", converted, "--labels", place_}),
              HasSubstr("already has reviewed labels"));
}

TEST_F(CliReviewedLabels, SeedsAreEvaluatedWithTheSameLabels) {
  confirmPrediction(wrong_row_);
  dubito::Run other = test::randomRun(kItems, 3, 6.0, 2, true, false);
  other.ids = run_.ids;
  other.labels = run_.labels;
  other.meta = run_.meta;
  RunContext context;
  const std::string other_file = dir_.file("other.npz");
  ASSERT_OK(writeRun(other, other_file, context));
  const auto result = cli({"evaluate", run_file_, "--seed-run", other_file, "--labels", place_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("reviewed labels (animals.labels, 1 of 200 changed)"));
}

TEST_F(CliReviewedLabels, StoresThatDoNotFitAreRefused) {
  EXPECT_THAT(refused({"evaluate", run_file_, "--labels", place_}), HasSubstr("animals.labels"));
  {
    const auto empty = LabelStore::open(place_, StoreMode::kOpenOrCreate);
    ASSERT_OK(empty);
  }
  EXPECT_THAT(refused({"evaluate", run_file_, "--labels", place_}),
              HasSubstr("contains no decisions yet"));
  confirmPrediction(wrong_row_);
  dubito::Run other = run_;
  other.meta.dataset_name = "plants";
  other.meta.dataset_spec = "folder:plants";
  RunContext context;
  const std::string other_file = dir_.file("plants.npz");
  ASSERT_OK(writeRun(other, other_file, context));
  EXPECT_THAT(refused({"evaluate", other_file, "--labels", place_}),
              HasSubstr("belongs to the dataset 'animals', not to 'plants'"));
}

}  // namespace
}  // namespace dubito
