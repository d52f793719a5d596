// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/active_learning/learning_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/studies/active_learning/curve_folder.h"
#include "app/studies/active_learning/study.h"
#include "tests/app/studies/tiny_experiment.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using study::ActiveLearning;
using study::Curve;
using study::FinishedCurve;
using test::tinyExperiment;

Status compute(const ActiveLearning& experiment, RunContext context = RunContext()) {
  return study::computeCurves(
      experiment, [](const FinishedCurve&) {}, context);
}

/// Name and content of every curve in the folder.
std::map<std::string, std::string> filesOf(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".lock" && entry.path().filename() != ".lock") {
      files[entry.path().filename().string()] = test::readBytes(entry.path());
    }
  }
  return files;
}

/// The files of the tiny experiment, computed once and without interruption.
const std::map<std::string, std::string>& wholeFiles() {
  static const test::TempDir dir;
  static const std::map<std::string, std::string> files = [] {
    const Status done = compute(tinyExperiment(dir.file("whole")));
    EXPECT_OK(done);
    return filesOf(dir.file("whole"));
  }();
  return files;
}

/// Ids of a whole dataset.
std::set<std::int64_t> idsOf(const std::string& spec) {
  RunContext context;
  const auto dataset = openDataset(spec, context);
  EXPECT_OK(dataset);
  return {(*dataset)->ids().begin(), (*dataset)->ids().end()};
}

std::vector<Curve> tinyCurves() {
  static const test::TempDir dir;
  const ActiveLearning experiment = tinyExperiment(dir.file("curves"));
  EXPECT_OK(compute(experiment));
  const auto curves = study::readCurves(experiment, RunContext());
  EXPECT_OK(curves);
  return *curves;
}

TEST(LearningCurve, HasAFilePerAcquisitionAndSeedAndNothingElse) {
  std::vector<std::string> names;
  for (const auto& [name, content] : wholeFiles()) {
    names.push_back(name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"bald-0.json", "bald-1.json", "random-0.json",
                                             "random-1.json"}));
}

TEST(LearningCurve, LabelsNewItemsOfThePoolInEveryRound) {
  const std::set<std::int64_t> train_ids = idsOf(test::kTinyTrain);
  const std::set<std::int64_t> test_ids = idsOf(test::kTinyTest);
  RunContext context;
  const ActiveLearning experiment = tinyExperiment("");
  const auto data =
      study::openExperiment(experiment.train, experiment.test, experiment.options, context);
  ASSERT_OK(data);
  for (const Curve& curve : tinyCurves()) {
    const DatasetPtr pool = study::poolOf(*data, experiment.options, curve.seed);
    EXPECT_EQ(pool->size(), 100);
    const std::set<std::int64_t> pool_ids(pool->ids().begin(), pool->ids().end());
    std::set<std::int64_t> labelled(curve.initial.begin(), curve.initial.end());
    ASSERT_EQ(labelled.size(), 8U);
    ASSERT_EQ(curve.points.size(), 4U);
    for (const auto& point : curve.points) {
      EXPECT_EQ(point.labels, static_cast<std::int64_t>(labelled.size()));
      EXPECT_GE(point.accuracy, 0.0);
      EXPECT_LE(point.accuracy, 1.0);
      EXPECT_EQ(point.acquired.size(), point.labels == 20 ? 0U : 4U);
      for (const std::int64_t id : point.acquired) {
        EXPECT_TRUE(labelled.insert(id).second) << id << " was labelled before";
      }
    }
    for (const std::int64_t id : labelled) {
      EXPECT_TRUE(pool_ids.contains(id));
      EXPECT_TRUE(train_ids.contains(id));
      EXPECT_FALSE(test_ids.contains(id));
    }
  }
}

TEST(LearningCurve, BeginsWithEquallyManyItemsOfEachClass) {
  RunContext context;
  const ActiveLearning experiment = tinyExperiment("");
  const auto data =
      study::openExperiment(experiment.train, experiment.test, experiment.options, context);
  ASSERT_OK(data);
  const auto countsOf = [&](std::int64_t initial) {
    const DatasetPtr pool = study::poolOf(*data, experiment.options, 0);
    const auto ids = study::initialIds(*data, *pool, initial, 0);
    std::vector<int> counts(4);
    const DatasetPtr items = study::itemsOf(pool, *ids);
    for (const std::int64_t label : items->labels()) {
      ++counts.at(static_cast<std::size_t>(label));
    }
    return counts;
  };
  EXPECT_EQ(countsOf(8), (std::vector<int>{2, 2, 2, 2}));
  EXPECT_EQ(countsOf(10), (std::vector<int>{3, 3, 2, 2}));
  const DatasetPtr pool = study::poolOf(*data, experiment.options, 0);
  EXPECT_THAT(study::initialIds(*data, *pool, 3, 0).error().message, HasSubstr("at least 4"));
  EXPECT_THAT(study::initialIds(*data, *pool, 99, 0).error().message, HasSubstr("larger --pool"));
}

TEST(LearningCurve, DependsOnTheSeedOnly) {
  const auto curves = tinyCurves();
  ASSERT_EQ(curves.size(), 4U);  // bald and random of seed 0, then of seed 1
  EXPECT_EQ(curves[0].initial, curves[1].initial);
  EXPECT_EQ(curves[0].points[0].accuracy, curves[1].points[0].accuracy);
  EXPECT_NE(curves[0].points[0].acquired, curves[1].points[0].acquired);
  EXPECT_NE(curves[0].initial, curves[2].initial);
  // In another order, another time.
  const test::TempDir dir;
  ActiveLearning other = tinyExperiment(dir.file("other"));
  std::ranges::reverse(other.by);
  ASSERT_OK(compute(other));
  EXPECT_EQ(filesOf(other.folder), wholeFiles());
}

TEST(LearningCurve, ContinuesAfterEveryCancellationAsIfThereHadBeenNone) {
  const test::TempDir dir;
  const ActiveLearning experiment = tinyExperiment(dir.file("stopped"));
  Status done = fail(ErrorCode::kCancelled, "not begun");
  int starts = 0;
  while (!done && starts++ < 40) {
    RunContext context;
    context.on_progress = [&](const Progress& progress) {
      EXPECT_EQ(progress.stage, "active learning") << "of a part of a round";
      if (progress.done > 0) {
        context.control()->requestCancel();
      }
    };
    done = study::computeCurves(
        experiment, [](const FinishedCurve&) {}, context);
    if (!done) {
      ASSERT_EQ(done.error().code, ErrorCode::kCancelled) << done.error().message;
      EXPECT_THAT(done.error().message, HasSubstr("the same command continues"));
      EXPECT_FALSE(fs::exists(dir.file("stopped") + "/bald-0.pt"));
    }
  }
  EXPECT_OK(done);
  EXPECT_GT(starts, 2);
  EXPECT_EQ(filesOf(experiment.folder), wholeFiles());
}

TEST(LearningCurve, GrowsWhenMoreLabelsSeedsAndAcquisitionsAreWanted) {
  const test::TempDir dir;
  ActiveLearning experiment = tinyExperiment(dir.file("growing"));
  experiment.labels = 13;  // ends at 12
  experiment.seeds = 1;
  experiment.by = {"random"};
  ASSERT_OK(compute(experiment));
  EXPECT_EQ(filesOf(experiment.folder).size(), 1U);
  const ActiveLearning whole = tinyExperiment(experiment.folder);
  ASSERT_OK(compute(whole));
  EXPECT_EQ(filesOf(experiment.folder), wholeFiles());
  // A shorter curve is not cut.
  ASSERT_OK(compute(experiment));
  EXPECT_EQ(filesOf(experiment.folder), wholeFiles());
}

TEST(LearningCurve, RefusesAFolderOfOtherConditions) {
  const test::TempDir dir;
  ActiveLearning experiment = tinyExperiment(dir.file("made"));
  experiment.seeds = 1;
  experiment.labels = 8;
  ASSERT_OK(compute(experiment));
  const auto before = filesOf(experiment.folder);
  ActiveLearning other = experiment;
  other.options.pool = 90;
  other.options.training.width = 0.3;
  const Status refused = compute(other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message,
              HasSubstr("bald-0.json: was made with pool 100 instead of 90, width 0.2 instead of "
                        "0.3; use the same options, or another folder"));
  EXPECT_EQ(filesOf(experiment.folder), before);

  test::writeBytes(experiment.folder + "/bald-0.json", "{\"version\": 1}");
  const Status damaged = compute(experiment);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kMalformed);
  EXPECT_THAT(damaged.error().message, HasSubstr("bald-0.json: is not a learning curve"));
}

TEST(LearningCurve, RefusesACurveOfOtherItems) {
  const test::TempDir dir;
  ActiveLearning experiment = tinyExperiment(dir.file("made"));
  experiment.seeds = 1;
  experiment.by = {"random"};
  experiment.labels = 12;
  ASSERT_OK(compute(experiment));
  const std::string path = experiment.folder + "/random-0.json";
  std::string text = test::readBytes(path);
  text.replace(text.rfind("\"initial\": [") + 12, 0, "4711,");
  test::writeBytes(path, text);
  experiment.labels = 20;
  const Status refused = compute(experiment);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kMalformed);
  EXPECT_THAT(refused.error().message, HasSubstr("random-0.json: does not fit the data"));
}

TEST(LearningCurve, IsComputedByOneProgramAtATime) {
  const test::TempDir dir;
  const ActiveLearning experiment = tinyExperiment(dir.file("claimed"));
  const auto claimed = study::CurveFolder::claim(experiment.folder, nlohmann::json::object());
  ASSERT_OK(claimed);
  const Status refused = compute(experiment);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("another program is computing"));
  EXPECT_OK(study::readCurves(experiment, RunContext()));
}

TEST(LearningCurve, RefusesTestItemsThatAreTrainedOn) {
  const test::TempDir dir;
  ActiveLearning experiment = tinyExperiment(dir.file("overlap"));
  experiment.test = "synthetic:glyphs?n=200&seed=1&characters=4&items=149:200&role=test";
  const Status refused = compute(experiment);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, HasSubstr("1 of its 51 items are among the training items"));
}

TEST(LearningCurve, RefusesOptionsThatCannotWork) {
  const test::TempDir dir;
  const auto messageFor = [&](const std::function<void(ActiveLearning&)>& change) {
    ActiveLearning experiment = tinyExperiment(dir.file("never"));
    change(experiment);
    const Status refused = compute(experiment);
    EXPECT_FALSE(refused);
    return refused ? std::string() : refused.error().message;
  };
  EXPECT_THAT(messageFor([](ActiveLearning& one) { one.labels = 101; }),
              HasSubstr("between --initial (8) and --pool (100), not 101"));
  EXPECT_THAT(messageFor([](ActiveLearning& one) { one.options.draws = 1; }),
              HasSubstr("Draws is 1"));
  EXPECT_THAT(messageFor([](ActiveLearning& one) { one.by = {"balt"}; }),
              HasSubstr("balt: is not a queue"));
  EXPECT_THAT(messageFor([](ActiveLearning& one) { one.by = {"label-errors"}; }),
              HasSubstr("label-errors: needs probabilities and given labels"));
  EXPECT_THAT(messageFor([](ActiveLearning& one) { one.by.clear(); }), HasSubstr("at least one"));
  EXPECT_FALSE(fs::exists(dir.file("never")));
}

TEST(LearningCurve, MeasuresOnAShareOfTheTestItems) {
  RunContext context;
  ActiveLearning experiment = tinyExperiment("");
  experiment.options.test_share = 0.5;
  const auto data =
      study::openExperiment(experiment.train, experiment.test, experiment.options, context);
  ASSERT_OK(data);
  EXPECT_EQ(data->test->size(), 25);
  experiment.options.pool = 151;
  EXPECT_THAT(study::openExperiment(experiment.train, experiment.test, experiment.options, context)
                  .error()
                  .message,
              HasSubstr("has 150 items with labels, fewer than the pool (151)"));
}

TEST(ActiveLearningOptions, TrainForTheSameNumberOfStepsOnFewLabels) {
  study::ActiveLearningOptions options;
  options.steps = 300;
  options.training.batch = 64;
  EXPECT_EQ(options.trainingOn(20).epochs, 300);
  EXPECT_EQ(options.trainingOn(64).epochs, 300);
  EXPECT_EQ(options.trainingOn(65).epochs, 150);
  EXPECT_EQ(options.trainingOn(500).epochs, 38);
}

TEST(ActiveLearningOptions, TrainOnBatchesOfNearlyTheSameSize) {
  study::ActiveLearningOptions options;
  options.training.batch = 64;
  EXPECT_EQ(options.trainingOn(20).batch, 20);
  EXPECT_EQ(options.trainingOn(64).batch, 64);
  EXPECT_EQ(options.trainingOn(130).batch, 44) << "not 64, 64 and 2";
  EXPECT_EQ(options.trainingOn(500).batch, 63);
}

}  // namespace
}  // namespace dubito
