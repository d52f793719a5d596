// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/scatter_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "core/analysis/drawn_points.h"
#include "core/metrics/measure.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// An analysis of one part whose items have these ids; entropy is the id over a thousand, the
/// confidence one minus that, every tenth item is misclassified; `shift` gives other labels.
AnalysisPtr analysisOf(const std::vector<std::int64_t>& ids, const std::string& name,
                       std::int64_t shift = 0) {
  const auto n = static_cast<std::int64_t>(ids.size());
  auto run = std::make_shared<Run>();
  run->ids = Array<std::int64_t>::fromVector(ids);
  std::vector<std::int64_t> labels;
  std::vector<std::int64_t> predictions;
  Array<double> entropy = Array<double>::zeros({n});
  Array<double> confidence = Array<double>::zeros({n});
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t id = ids[static_cast<std::size_t>(i)];
    labels.push_back((id + shift) % 3);
    predictions.push_back((id % 10 == 0 ? id + 1 + shift : id + shift) % 3);
    entropy.mutableData()[i] = static_cast<double>(id) / 1000.0;
    confidence.mutableData()[i] = 1.0 - entropy.data()[i];
  }
  run->labels = Array<std::int64_t>::fromVector(labels);
  run->predictions = Array<std::int64_t>::fromVector(predictions);
  run->confidence = confidence;
  run->entropy = entropy;
  auto analysis = std::make_shared<Analysis>();
  analysis->name = name;
  AnalysisPart part;
  part.name = "items";
  part.run = run;
  part.measures.resize(allMeasures().size());
  part.measures[static_cast<std::size_t>(Measure::kEntropy)] = entropy;
  part.measures[static_cast<std::size_t>(Measure::kConfidence)] = confidence;
  analysis->parts.push_back(std::move(part));
  return analysis;
}

std::vector<std::int64_t> idsUpTo(std::int64_t n) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(n));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

std::set<std::int64_t> idsOf(const ScatterData& data, const std::vector<std::int32_t>& points) {
  std::set<std::int64_t> ids;
  for (const std::int32_t point : points) {
    const ItemRef item = data.items[static_cast<std::size_t>(point)];
    ids.insert(data.request.x_run->partOf(item).run->ids.data()[item.row]);
  }
  return ids;
}

TEST(ScatterData, OfOneRunSharesItsMeasures) {
  const AnalysisPtr run = analysisOf({5, 6, 20, 8, 7}, "a");
  const AnalysisPtr copy = std::make_shared<const Analysis>(*run);
  const auto shared = joinScatter({run, run, Measure::kEntropy, Measure::kConfidence});
  const auto joined = joinScatter({run, copy, Measure::kEntropy, Measure::kConfidence});
  ASSERT_TRUE(shared.has_value() && joined.has_value());
  EXPECT_EQ((*shared)->points.x.data(), run->in().values(Measure::kEntropy).data());
  EXPECT_EQ((*shared)->points.y.data(), run->in().values(Measure::kConfidence).data());
  EXPECT_TRUE(std::ranges::equal((*shared)->points.x.values(), (*joined)->points.x.values()));
  EXPECT_TRUE(std::ranges::equal((*shared)->points.y.values(), (*joined)->points.y.values()));
  EXPECT_EQ((*shared)->points.by_cell, (*joined)->points.by_cell);
  EXPECT_EQ((*shared)->items.numbers(), (*joined)->items.numbers());
  EXPECT_EQ((*shared)->point_of_item, (*joined)->point_of_item);
  EXPECT_EQ((*shared)->counts, (*joined)->counts);
  EXPECT_EQ((*shared)->drawn, (*joined)->drawn);
}

TEST(ScatterData, OfOneRunLeavesOutWhatHasNoValue) {
  const AnalysisPtr run = analysisOf({5, 6, 7}, "a");
  auto gap = std::make_shared<Analysis>(*run);
  gap->parts[0].measures[static_cast<std::size_t>(Measure::kEntropy)] =
      Array<double>::fromVector({0.1, std::nan(""), 0.3});
  const auto data = joinScatter({gap, gap, Measure::kEntropy, Measure::kConfidence});
  ASSERT_TRUE(data.has_value());
  EXPECT_EQ((*data)->without_value, 1);
  EXPECT_EQ(test::listed((*data)->items), (std::vector<ItemRef>{{0, 0}, {0, 2}}));
}

TEST(ScatterData, JoinsItemsOnTheirIds) {
  const AnalysisPtr a = analysisOf({5, 6, 7, 8, 20}, "a");
  const AnalysisPtr b = analysisOf({20, 8, 99, 6}, "b");
  const auto data = joinScatter({a, b, Measure::kEntropy, Measure::kConfidence});
  ASSERT_TRUE(data.has_value());
  ASSERT_EQ(test::listed((*data)->items), (std::vector<ItemRef>{{0, 1}, {0, 3}, {0, 4}}));
  EXPECT_TRUE(std::ranges::equal((*data)->points.x.values(), std::vector{0.006, 0.008, 0.020}));
  EXPECT_TRUE(
      std::ranges::equal((*data)->points.y.values(), std::vector{1 - 0.006, 1 - 0.008, 1 - 0.020}));
  EXPECT_EQ((*data)->point_of_item, (std::vector<std::int32_t>{-1, 0, -1, 1, 2}));
  EXPECT_EQ((*data)->counts[static_cast<std::size_t>(ItemGroup::kMisclassified)], 1);
  EXPECT_FALSE((*data)->is_density);
  // Misclassified ones lie on top.
  EXPECT_EQ((*data)->drawn, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_LT((*data)->points.x_range.low, 0.006);
  EXPECT_GT((*data)->points.x_range.high, 0.020);
}

TEST(ScatterData, TheSampleWithOodAgainstItself) {
  const AnalysisPtr sample = test::sampleAnalysis();
  const auto data = joinScatter({sample, sample, Measure::kEntropy, Measure::kMutualInformation});
  ASSERT_TRUE(data.has_value());
  EXPECT_EQ((*data)->points.size(), 80);
  EXPECT_EQ((*data)->counts[static_cast<std::size_t>(ItemGroup::kOod)], 20);
  for (std::size_t i = 0; i < 80; ++i) {
    const ItemRef item = (*data)->items[i];
    EXPECT_EQ((*data)->points.y.data()[i],
              sample->partOf(item).values(Measure::kMutualInformation).data()[item.row]);
  }
  // The same measure on both axes has one range, so that equal values lie on the diagonal.
  const auto same = joinScatter(
      {sample, test::sampleAnalysisWithoutDraws(), Measure::kEntropy, Measure::kEntropy});
  EXPECT_EQ((*same)->points.size(), 60);
  EXPECT_EQ((*same)->points.x_range.low, (*same)->points.y_range.low);
  EXPECT_EQ((*same)->points.x_range.high, (*same)->points.y_range.high);
}

TEST(ScatterData, TheItemsOfARectangleArePicked) {
  const AnalysisPtr sample = test::sampleAnalysis();
  const auto data =
      joinScatter({sample, sample, Measure::kConfidence, Measure::kMutualInformation});
  const Interval x{0.4, 0.8};
  const Interval y{0.02, 0.1};
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.picked = itemsInRectangle(**data, x, y, "here");
  std::vector<ItemRef> expected;
  for (std::size_t p = 0; p < sample->parts.size(); ++p) {
    const AnalysisPart& part = sample->parts[p];
    for (std::int64_t row = 0; row < part.run->itemCount(); ++row) {
      const double a = part.values(Measure::kConfidence).data()[row];
      const double b = part.values(Measure::kMutualInformation).data()[row];
      if (a >= x.low && a <= x.high && b >= y.low && b <= y.high) {
        expected.push_back({static_cast<std::int32_t>(p), row});
      }
    }
  }
  const ItemRefs items = findItems(*sample, query);
  std::vector<ItemRef> found = test::listed(items);
  std::ranges::sort(found);
  EXPECT_EQ(found, expected);
  EXPECT_TRUE(std::ranges::any_of(found, [](ItemRef item) { return item.part == 1; }));
  EXPECT_TRUE(std::ranges::any_of(found, [](ItemRef item) { return item.part == 0; }));
  EXPECT_LT(found.size(), 60U);
  EXPECT_EQ(pointsOfItems(**data, items, 1000).size(), found.size());
}

TEST(ScatterData, ManyItemsAreCountedWithTheSameFewOnTopInAnyOrder) {
  std::vector<std::int64_t> ids = idsUpTo(50000);
  const AnalysisPtr a = analysisOf(ids, "a");
  const auto forward = joinScatter({a, a, Measure::kEntropy, Measure::kConfidence});
  ASSERT_TRUE((*forward)->is_density);
  EXPECT_EQ((*forward)->points.size(), 50000);
  EXPECT_EQ((*forward)->counts[static_cast<std::size_t>(ItemGroup::kMisclassified)], 5000);
  EXPECT_EQ((*forward)->drawn.size(), 1000U);
  for (const std::int32_t point : (*forward)->drawn) {
    EXPECT_EQ((*forward)->points.groups[static_cast<std::size_t>(point)],
              static_cast<std::uint8_t>(ItemGroup::kMisclassified));
  }
  std::shuffle(ids.begin(), ids.end(), std::mt19937(1));
  const AnalysisPtr b = analysisOf(ids, "b");
  const auto shuffled = joinScatter({b, a, Measure::kEntropy, Measure::kConfidence});
  EXPECT_EQ(idsOf(**forward, (*forward)->drawn), idsOf(**shuffled, (*shuffled)->drawn));
}

TEST(ScatterData, OverAMapEveryGroupIsDrawn) {
  const AnalysisPtr run = analysisOf(idsUpTo(50000), "a");
  std::vector<std::uint32_t> numbers(50000);
  std::iota(numbers.begin(), numbers.end(), 0U);
  const ItemRefs items(ItemNumbers(*run), numbers);
  const auto values = Array<double>::fromVector({numbers.begin(), numbers.end()});
  const ScatterData data =
      makeScatterData(run, items, values, values, {0, 50000}, {0, 50000}, Crowd::kSampled);
  EXPECT_FALSE(data.is_density);
  std::array<std::int64_t, 4> drawn{};
  for (const std::int32_t point : data.drawn) {
    ++drawn[data.points.groups[static_cast<std::size_t>(point)]];
  }
  EXPECT_EQ(drawn[static_cast<std::size_t>(ItemGroup::kMisclassified)], 5000);
  EXPECT_EQ(drawn[static_cast<std::size_t>(ItemGroup::kCorrect)], kMaxScatterPoints / 2);
}

TEST(ScatterData, WhatCannotBeJoinedSaysWhy) {
  const AnalysisPtr a = analysisOf({1, 2, 3}, "first");
  const auto none =
      joinScatter({a, analysisOf({7, 8}, "second"), Measure::kEntropy, Measure::kEntropy});
  ASSERT_FALSE(none.has_value());
  EXPECT_THAT(none.error().message, HasSubstr("first and second share no item"));
  const AnalysisPtr other = analysisOf({1, 2, 3}, "second", 1);
  const auto conflict = joinScatter({a, other, Measure::kEntropy, Measure::kEntropy});
  ASSERT_FALSE(conflict.has_value());
  EXPECT_THAT(conflict.error().message, HasSubstr("label"));
  EXPECT_FALSE(joinScatter({a, a, Measure::kEntropy, Measure::kVariance}).has_value());
}

}  // namespace
}  // namespace dubito
