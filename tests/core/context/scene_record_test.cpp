// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/scene_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/context/context_run.h"
#include "core/io/npz_writer.h"
#include "core/io/run_arrays.h"
#include "core/io/run_file.h"
#include "tests/core/context/made_scenes.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// Forty items in scenes of four, with context.
class SceneRecordFile : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937_64 random(3);
    scores_ = test::scoresOf(test::randomCounts(3, random), "pmi");
    before_ = test::randomRun(40, 3, 1.5, 2, true, false);
    scenes_ = test::scenesOfSize(40, 4);
    ContextOptions options;
    options.weight = 0.7;
    auto result = withContext(before_, scenes_, scores_, options, {}, context_);
    ASSERT_OK(result);
    after_ = std::move(result->run);
    ASSERT_OK(
        writeContextRun(after_, sceneRecord(before_, scenes_, scores_, 0.7), path_, context_));
  }

  RunContext context_;
  test::TempDir folder_;
  std::string path_ = folder_.file("context.npz");
  PairScores scores_;
  Scenes scenes_;
  dubito::Run before_;
  dubito::Run after_;
};

TEST_F(SceneRecordFile, IsARunAndHasTheRecord) {
  const auto run = readRun(path_, context_);
  ASSERT_OK(run);
  EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*run->probs).values(),
                                 std::get<Array<float>>(*after_.probs).values()));
  EXPECT_OK(verifyRunFile(path_, context_));
  const auto record = readSceneRecord(path_, *run);
  ASSERT_OK(record);
  ASSERT_TRUE(*record);
  EXPECT_TRUE(std::ranges::equal((*record)->scene.values(), scenes_.of_row));
  EXPECT_TRUE(std::ranges::equal((*record)->scores.values(), scores_.scores.values()));
  EXPECT_EQ((*record)->weight, 0.7);
  for (std::int64_t i = 0; i < 40; ++i) {
    for (std::int64_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(std::exp((*record)->log_alone.row(i)[static_cast<std::size_t>(k)]),
                  before_.prob(i, k), 1e-6);
    }
  }
}

TEST_F(SceneRecordFile, GoesWithTheRunThatIsSavedAgain) {
  const auto run = readRun(path_, context_);
  ASSERT_OK(run);
  const std::string copy = folder_.file("copy.npz");
  ASSERT_OK(writeRun(*run, copy, context_));
  const auto record = readSceneRecord(copy, *run);
  ASSERT_OK(record);
  ASSERT_TRUE(*record);
  EXPECT_TRUE(std::ranges::equal((*record)->scores.values(), scores_.scores.values()));
  // A newer record takes the place of the old one.
  ASSERT_OK(writeContextRun(*run, sceneRecord(before_, scenes_, scores_, 0.7), copy, context_));
  const auto again = readRun(copy, context_);
  ASSERT_OK(again);
  EXPECT_EQ(again->others.size(), 3U);
}

TEST_F(SceneRecordFile, ExplainsEachItem) {
  const auto record = readSceneRecord(path_, after_);
  ASSERT_TRUE(record && *record);
  int changed = 0;
  for (std::int64_t row = 0; row < 40; ++row) {
    const auto explained = explainItem(after_, **record, row);
    ASSERT_OK(explained);
    ASSERT_TRUE(*explained);
    const ExplainedItem& item = **explained;
    EXPECT_EQ(item.to, after_.predictions.data()[row]);
    EXPECT_EQ(item.changed, before_.predictions.data()[row] != item.to);
    if (item.changed) {
      EXPECT_EQ(item.from, before_.predictions.data()[row]);
      EXPECT_LT(item.own, 0.0);
      ++changed;
    }
    EXPECT_NE(item.from, item.to);
    EXPECT_NEAR(item.total,
                std::log(after_.prob(row, item.to)) - std::log(after_.prob(row, item.from)), 1e-5);
    ASSERT_EQ(item.others.size(), 3U);
    double sum = item.own + item.loops;
    for (std::size_t i = 0; i < 3; ++i) {
      const SceneNeighbour& other = item.others[i];
      EXPECT_EQ(other.row / 4, row / 4);
      EXPECT_NE(other.row, row);
      EXPECT_EQ(other.before, before_.predictions.data()[other.row]);
      EXPECT_EQ(other.after, after_.predictions.data()[other.row]);
      if (i > 0) {
        EXPECT_LE(std::abs(other.message), std::abs(item.others[i - 1].message));
      }
      sum += other.message;
    }
    EXPECT_NEAR(sum, item.total, 1e-9);
  }
  EXPECT_GT(changed, 2);
}

TEST_F(SceneRecordFile, ItemsAloneNeedNoReason) {
  std::vector<std::string> names(40);
  names[0] = "alone";
  const SceneRecord record = sceneRecord(before_, scenesByName(names, "scenes.csv"), scores_, 0.7);
  for (const std::int64_t row : {0, 1}) {
    const auto explained = explainItem(after_, record, row);
    ASSERT_OK(explained);
    EXPECT_FALSE(*explained);
  }
}

TEST_F(SceneRecordFile, ARunWithoutRecordIsNoError) {
  ASSERT_OK(writeRun(after_, folder_.file("plain.npz"), context_));
  const auto record = readSceneRecord(folder_.file("plain.npz"), after_);
  ASSERT_OK(record);
  EXPECT_FALSE(*record);
}

TEST_F(SceneRecordFile, RefusesARecordThatDoesNotFit) {
  const SceneRecord good = sceneRecord(before_, scenes_, scores_, 0.7);
  auto not_finite = Array<double>::zeros({3, 3});
  not_finite.mutableData()[4] = std::nan("");
  const std::string path = folder_.file("bad.npz");
  for (const SceneRecord& bad :
       {SceneRecord{good.scene.slice(0, 39), good.log_alone, good.scores},
        SceneRecord{good.scene, good.log_alone.slice(0, 39), good.scores},
        SceneRecord{good.scene, good.log_alone, Array<double>::zeros({2, 2})},
        SceneRecord{good.scene, good.log_alone, not_finite}}) {
    dubito::Run with_record = after_;
    with_record.others = {{"scene", RunAxes{RunAxis::kOther}, bad.scene},
                          {"log_alone", RunAxes{RunAxis::kOther, RunAxis::kOther}, bad.log_alone},
                          {"pair_scores", RunAxes{RunAxis::kOther, RunAxis::kOther}, bad.scores}};
    ASSERT_OK(writeRun(with_record, path, context_));
    const auto record = readSceneRecord(path, after_);
    ASSERT_FALSE(record);
    EXPECT_THAT(record.error().message, HasSubstr(path + ": its record of scenes does not fit"));
  }
}

}  // namespace
}  // namespace dubito
