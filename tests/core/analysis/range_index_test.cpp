// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/range_index.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/core/analysis/sample_analysis.h"

namespace dubito {
namespace {

/// Enough items for more than two sums over blocks, and a block that is not full.
constexpr std::int64_t kItems = 120'000;
constexpr std::int64_t kOodItems = 30'000;

ItemQuery rangeOf(Measure measure, Interval range) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.range = MeasureRange{measure, range};
  return query;
}

void expectSame(const std::vector<Curve>& found, const std::vector<Curve>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found[i].name, expected[i].name);
    EXPECT_EQ(found[i].x, expected[i].x) << expected[i].name;
    EXPECT_EQ(found[i].y, expected[i].y) << expected[i].name;
    EXPECT_TRUE(std::isnan(found[i].summary));
  }
}

void expectSame(const SelectionOverview& found, const SelectionOverview& expected) {
  EXPECT_EQ(found.correct, expected.correct);
  EXPECT_EQ(found.misclassified, expected.misclassified);
  EXPECT_EQ(found.ood, expected.ood);
  EXPECT_EQ(found.unlabelled, expected.unlabelled);
  ASSERT_EQ(found.histograms.size(), expected.histograms.size());
  for (std::size_t s = 0; s < expected.histograms.size(); ++s) {
    const Overview::ScoreHistograms& mine = found.histograms[s];
    const Overview::ScoreHistograms& whole = expected.histograms[s];
    EXPECT_EQ(mine.measure, whole.measure);
    EXPECT_EQ(mine.correct.counts, whole.correct.counts);
    EXPECT_EQ(mine.misclassified.counts, whole.misclassified.counts);
    EXPECT_EQ(mine.ood.counts, whole.ood.counts);
  }
  ASSERT_EQ(found.reliability.bins.size(), expected.reliability.bins.size());
  for (std::size_t j = 0; j < expected.reliability.bins.size(); ++j) {
    const ReliabilityBin& mine = found.reliability.bins[j];
    const ReliabilityBin& whole = expected.reliability.bins[j];
    EXPECT_EQ(mine.count, whole.count);
    if (whole.count > 0) {
      EXPECT_EQ(mine.accuracy, whole.accuracy);
      EXPECT_NEAR(mine.confidence, whole.confidence, 1e-12);
    }
  }
  if (expected.itemCount() > 0) {
    EXPECT_NEAR(found.mmc, expected.mmc, 1e-12);
  }
  expectSame(found.roc, expected.roc);
  expectSame(found.precision_recall, expected.precision_recall);
  expectSame(found.rejection, expected.rejection);
}

class RangeIndexTest : public testing::Test {
 protected:
  /// As while a range is dragged.
  SelectionBasis basisOf(const AnalysisPtr& analysis) const {
    SelectionBasis basis = test::basisOf(*analysis, context);
    basis.preview = basis.rankings;
    return basis;
  }
  void compare(const AnalysisPtr& analysis, Measure measure) {
    const SelectionBasis basis = basisOf(analysis);
    const RangeIndexPtr index = RangeIndex::make(analysis, measure, basis, context).value();
    const std::span<const double> values = analysis->in().values(measure).values();
    std::mt19937 random(7);
    std::uniform_int_distribution<std::size_t> item(0, values.size() - 1);
    std::vector<Interval> ranges{{-10.0, 10.0}, {5.0, 6.0}, {0.6, 0.4}};
    for (int i = 0; i < 40; ++i) {
      // Between the values of two items, which belong to the range.
      const double a = values[item(random)];
      const double b = values[item(random)];
      ranges.push_back({std::min(a, b), std::max(a, b)});
      ranges.push_back({a, a + 0.002});
    }
    for (const Interval& range : ranges) {
      const ItemQuery query = rangeOf(measure, range);
      ASSERT_TRUE(RangeIndex::isRangeAlone(query));
      SCOPED_TRACE(testing::Message()
                   << describe(measure).key << " " << range.low << " " << range.high);
      expectSame(*index->overview(range, context).value(),
                 *overviewOfSelection(*analysis, query, basis, context).value());
    }
  }

  RunContext context;
};

TEST_F(RangeIndexTest, OfAnyRangeIsTheOverviewOfItsItems) {
  context.threads = 2;
  const AnalysisPtr analysis = test::sampleAnalysis(kItems, kOodItems);
  for (const Measure measure :
       {Measure::kConfidence, Measure::kEntropy, Measure::kMutualInformation}) {
    compare(analysis, measure);
  }
}

TEST_F(RangeIndexTest, WithoutOodItemsAndWithFewItems) {
  compare(test::sampleAnalysis(20'000, 0), Measure::kEntropy);
  compare(test::sampleAnalysis(), Measure::kConfidence);
}

TEST_F(RangeIndexTest, WithoutDiagramAndRankingsItHasNeitherBinsNorCurves) {
  const AnalysisPtr analysis = test::sampleAnalysis(20'000, 0);
  const SelectionBasis columns{selectionColumns(*analysis, context).value(), nullptr, nullptr,
                               nullptr};
  const auto index = RangeIndex::make(analysis, Measure::kEntropy, columns, context).value();
  const auto found = index->overview({0.1, 0.5}, context).value();
  EXPECT_GT(found->itemCount(), 0);
  EXPECT_TRUE(found->roc.empty());
  EXPECT_TRUE(found->reliability.bins.empty());
}

TEST_F(RangeIndexTest, AnswersARangeAlone) {
  const ItemQuery range = rangeOf(Measure::kEntropy, {0.1, 0.5});
  EXPECT_TRUE(RangeIndex::isRangeAlone(range));
  ItemQuery sorted = range;
  sorted.sort = Measure::kConfidence;
  sorted.sort_column = ItemColumn::kLoss;
  sorted.descending = false;
  EXPECT_TRUE(RangeIndex::isRangeAlone(sorted));

  ItemQuery other = range;
  other.range.reset();
  EXPECT_FALSE(RangeIndex::isRangeAlone(other));
  other = range;
  other.group = GroupFilter::kCorrect;
  EXPECT_FALSE(RangeIndex::isRangeAlone(other));
  other = range;
  other.label = 1;
  EXPECT_FALSE(RangeIndex::isRangeAlone(other));
  other = range;
  other.predicted = 1;
  EXPECT_FALSE(RangeIndex::isRangeAlone(other));
  other = range;
  other.attribute = AttributeFilter{"camera", "south"};
  EXPECT_FALSE(RangeIndex::isRangeAlone(other));
  other = range;
  other.cell = ClassPair{};
  EXPECT_FALSE(RangeIndex::isRangeAlone(other));
  other = range;
  other.picked = PickedItems{};
  EXPECT_FALSE(RangeIndex::isRangeAlone(other));
  other = range;
  other.reliability_bin = ReliabilityBinFilter{};
  EXPECT_FALSE(RangeIndex::isRangeAlone(other));
}

TEST_F(RangeIndexTest, IsOfOneMeasureAnalysisAndBasis) {
  const AnalysisPtr analysis = test::sampleAnalysis();
  SelectionBasis basis = basisOf(analysis);
  const auto index = RangeIndex::make(analysis, Measure::kEntropy, basis, context).value();
  EXPECT_TRUE(index->isOf(analysis, Measure::kEntropy, basis));
  EXPECT_FALSE(index->isOf(analysis, Measure::kConfidence, basis));
  EXPECT_FALSE(index->isOf(test::sampleAnalysis(), Measure::kEntropy, basis));
  EXPECT_FALSE(index->isOf(analysis, Measure::kEntropy, basisOf(analysis)));
  basis.preview = nullptr;
  EXPECT_TRUE(index->isOf(analysis, Measure::kEntropy, basis));
  basis.judged = nullptr;
  EXPECT_FALSE(index->isOf(analysis, Measure::kEntropy, basis));
}

TEST_F(RangeIndexTest, EndsWhenItIsCancelled) {
  const AnalysisPtr analysis = test::sampleAnalysis();
  const SelectionBasis basis = basisOf(analysis);
  const auto index = RangeIndex::make(analysis, Measure::kEntropy, basis, context).value();
  context.control()->requestCancel();
  EXPECT_EQ(index->overview({0.1, 0.5}, context).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(RangeIndex::make(analysis, Measure::kEntropy, basis, context).error().code,
            ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
