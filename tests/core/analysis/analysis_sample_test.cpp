// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/runs/run_rows.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// An array of this shape, without elements.
template <class T>
Array<T> shapedArray(std::vector<std::int64_t> shape) {
  return Array<T>::view(std::move(shape), nullptr, {});
}

/// A run of which only the sizes are right.
dubito::Run shaped(std::int64_t items, std::int64_t classes, std::int64_t draws = 0) {
  dubito::Run run;
  run.ids = shapedArray<std::int64_t>({items});
  run.predictions = shapedArray<std::int64_t>({items});
  run.probs = shapedArray<float>({items, classes});
  if (draws > 0) {
    run.samples = shapedArray<float>({draws, items, classes});
  }
  return run;
}

TEST(AnalysisSample, IsOfLargeRunsAlone) {
  EXPECT_EQ(sampleSize(*test::sampleAnalysis()->in().run), 0);
  EXPECT_EQ(sampleSize(shaped(200'000, 10)), 20'000);
  EXPECT_EQ(sampleSize(shaped(199'999, 10)), 0);
  // Wide ones are sampled less densely, and not at all where too few items would be left.
  // Each item has an id, a prediction and the numbers over classes and draws: 8'000'000 in all.
  EXPECT_EQ(sampleSize(shaped(80'000, 998)), 8'000);
  EXPECT_EQ(sampleSize(shaped(79'999, 998)), 0);
  EXPECT_EQ(sampleSize(shaped(21'000, 5'000)), 0);
  EXPECT_EQ(sampleSize(shaped(40'000, 10, 200)), 3'976);
  EXPECT_EQ(sampleSize(shaped(40'000, 10, 500)), 0);
  dubito::Run with_features = shaped(200'000, 10);
  with_features.others.push_back({.key = "features",
                                  .axes = RunAxes(RunAxis::kItem, RunAxis::kOther),
                                  .values = shapedArray<float>({200'000, 788})});
  EXPECT_EQ(sampleSize(with_features), 10'000);
}

TEST(AnalysisSample, AnalysesTheItemsThatTheKeysOfTheirIdsSelect) {
  const auto run = test::tenClassRun(200'000);
  RunContext context;
  const Expected<AnalysisSample> sample = analyseSample("ten", *run, {}, context);
  ASSERT_OK(sample);
  EXPECT_EQ(sample->of, 200'000);
  const Analysis& analysis = *sample->analysis;
  ASSERT_EQ(analysis.parts.size(), 1U);
  EXPECT_EQ(analysis.in().name, "ten");
  const std::vector<std::int64_t> rows = keyedRows(run->ids.values(), 20'000);
  const auto ids = analysis.in().run->ids.values();
  EXPECT_TRUE(std::ranges::equal(ids, rows));  // the ids of this run are its rows
  EXPECT_EQ(analysis.overview.correct + analysis.overview.misclassified, 20'000);
  // Four of five are right: the standard error is 0.003.
  EXPECT_NEAR(static_cast<double>(analysis.overview.correct) / 20'000.0, 0.8, 0.015);
  EXPECT_FALSE(analysis.overview.roc.empty());
}

TEST(AnalysisSample, IsCancelled) {
  const auto run = test::tenClassRun(200'000);
  const auto control = std::make_shared<RunControl>();
  control->requestCancel();
  RunContext context(control);
  const Expected<AnalysisSample> sample = analyseSample("ten", *run, {}, context);
  ASSERT_FALSE(sample.has_value());
  EXPECT_EQ(sample.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
