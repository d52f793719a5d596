// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/selection_overview.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/metrics/ranking.h"
#include "tests/core/analysis/sample_analysis.h"

namespace dubito {
namespace {

class SelectionOverviewTest : public testing::Test {
 protected:
  AnalysisPtr analysis = test::sampleAnalysis();
  ReliabilityPtr reliability =
      std::make_shared<const Reliability>(Reliability{{}, analysis->overview.reliability});
  RunContext context;

  SelectionBasis basis() {
    return {selectionColumns(*analysis, context).value(),
            judgedItems(*analysis, reliability, context).value(),
            rankingsOf(*analysis, context).value(), nullptr};
  }

  SelectionOverview of(const ItemQuery& query) {
    const Expected<SelectionOverviewPtr> overview =
        overviewOfSelection(*analysis, query, basis(), context);
    EXPECT_TRUE(overview.has_value());
    return overview ? **overview : SelectionOverview();
  }
};

TEST_F(SelectionOverviewTest, OfEverythingIsTheOverview) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  const SelectionOverview all = of(query);
  const Overview& overview = analysis->overview;
  EXPECT_EQ(all.correct, overview.correct);
  EXPECT_EQ(all.misclassified, overview.misclassified);
  EXPECT_EQ(all.ood, overview.ood);
  ASSERT_EQ(all.histograms.size(), overview.histograms.size());
  for (std::size_t i = 0; i < all.histograms.size(); ++i) {
    EXPECT_EQ(all.histograms[i].correct.counts, overview.histograms[i].correct.counts);
    EXPECT_EQ(all.histograms[i].misclassified.counts, overview.histograms[i].misclassified.counts);
    EXPECT_EQ(all.histograms[i].ood.counts, overview.histograms[i].ood.counts);
    EXPECT_EQ(all.histograms[i].correct.edges, overview.histograms[i].correct.edges);
  }
  ASSERT_EQ(all.reliability.bins.size(), overview.reliability.bins.size());
  for (std::size_t j = 0; j < all.reliability.bins.size(); ++j) {
    EXPECT_EQ(all.reliability.bins[j].count, overview.reliability.bins[j].count);
  }
  EXPECT_NEAR(all.reliability.ece, overview.reliability.ece, 1e-12);
  const auto expectSummaries = [](const std::vector<Curve>& some, const std::vector<Curve>& whole) {
    ASSERT_FALSE(whole.empty());
    ASSERT_EQ(some.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(some[i].name, whole[i].name);
      EXPECT_NEAR(some[i].summary, whole[i].summary, 1e-12) << whole[i].name;
    }
  };
  expectSummaries(all.roc, overview.roc);
  expectSummaries(all.precision_recall, overview.precision_recall);
  expectSummaries(all.rejection, overview.rejection);
  EXPECT_NEAR(all.positive_share, overview.positive_share, 1e-12);
}

TEST_F(SelectionOverviewTest, CurvesAreThoseOfTheListedItemsAlone) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.range = MeasureRange{Measure::kConfidence, {0.3, 0.8}};
  const SelectionOverview some = of(query);
  ASSERT_FALSE(some.roc.empty());
  for (const Curve& curve : some.roc) {
    const Measure measure = measureOfKey(curve.name).value();
    std::vector<double> scores;
    std::vector<std::uint8_t> positive;
    for (const ItemRef item : test::listed(findItems(*analysis, query))) {
      const ItemGroup group = groupOf(*analysis, item);
      if (group == ItemGroup::kCorrect || group == ItemGroup::kOod) {
        const double value = analysis->partOf(item).values(measure).data()[item.row];
        scores.push_back(measure == Measure::kConfidence ? value : -value);
        positive.push_back(group == ItemGroup::kCorrect ? 1 : 0);
      }
    }
    EXPECT_NEAR(curve.summary, areaUnderRoc(thresholdTable(scores, positive)), 1e-12) << curve.name;
  }
}

TEST_F(SelectionOverviewTest, KeepsTheBinsOfAnotherDiagram) {
  for (const ReliabilityOptions& options :
       {ReliabilityOptions{.bins = 8, .equal_mass = true},
        ReliabilityOptions{.bins = 12, .of_class = 1, .with_ood = true}}) {
    reliability =
        makeReliability(*analysis->in().run, analysis->oodRuns(), options, context).value();
    ItemQuery query;
    query.group = GroupFilter::kAll;
    const SelectionOverview all = of(query);
    const std::vector<ReliabilityBin>& bins = reliability->diagram.bins;
    ASSERT_EQ(all.reliability.bins.size(), bins.size());
    for (std::size_t j = 0; j < bins.size(); ++j) {
      EXPECT_EQ(all.reliability.bins[j].count, bins[j].count);
      EXPECT_EQ(all.reliability.bins[j].high, bins[j].high);
    }
    EXPECT_NEAR(all.reliability.ece, reliability->diagram.ece, 1e-12);
    EXPECT_EQ(all.reliability.convention, reliability->diagram.convention);
  }
}

TEST_F(SelectionOverviewTest, APreviewDrawsTheSameCurvesWithoutTheirAreas) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.range = MeasureRange{Measure::kConfidence, {0.3, 0.8}};
  const SelectionOverview exact = of(query);
  SelectionBasis dragged = basis();
  // Of this sample nothing would be left.
  const auto sample = std::make_shared<const std::vector<ItemRanking>>(
      std::vector<ItemRanking>{sampledRanking(dragged.rankings->front(), 1000)});
  for (const ItemRankingsPtr& preview : {dragged.rankings, ItemRankingsPtr(sample)}) {
    dragged.preview = preview;
    const auto drawn = overviewOfSelection(*analysis, query, dragged, context);
    ASSERT_TRUE(drawn.has_value());
    ASSERT_EQ((*drawn)->roc.size(), exact.roc.size());
    for (std::size_t i = 0; i < exact.roc.size(); ++i) {
      EXPECT_EQ((*drawn)->roc[i].x, exact.roc[i].x);
      EXPECT_EQ((*drawn)->roc[i].y, exact.roc[i].y);
      EXPECT_TRUE(std::isnan((*drawn)->roc[i].summary));
    }
  }
}

TEST_F(SelectionOverviewTest, WithoutDiagramAndRankingsItHasNeitherCurvesNorBins) {
  const SelectionColumnsPtr columns = basis().columns;
  const auto overview =
      overviewOfSelection(*analysis, {}, {columns, nullptr, nullptr, nullptr}, context);
  ASSERT_TRUE(overview.has_value());
  EXPECT_TRUE((*overview)->roc.empty());
  EXPECT_TRUE((*overview)->rejection.empty());
  EXPECT_TRUE((*overview)->reliability.bins.empty());
}

TEST_F(SelectionOverviewTest, CountsExactlyTheListedItems) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.range = MeasureRange{Measure::kEntropy, {0.2, 0.7}};
  for (const int threads : {1, 3}) {
    context.threads = threads;
    const SelectionOverview some = of(query);
    const std::vector<ItemRef> items = test::listed(findItems(*analysis, query));
    ASSERT_FALSE(items.empty());
    ASSERT_LT(items.size(), 80U);
    EXPECT_EQ(some.itemCount(), static_cast<std::int64_t>(items.size()));
    double confidence = 0.0;
    std::int64_t correct = 0;
    for (const ItemRef item : items) {
      confidence += analysis->partOf(item).run->confidence.data()[item.row];
      correct += groupOf(*analysis, item) == ItemGroup::kCorrect ? 1 : 0;
    }
    EXPECT_NEAR(some.mmc, confidence / static_cast<double>(items.size()), 1e-12);
    EXPECT_EQ(some.correct, correct);
    for (const Overview::ScoreHistograms& histograms : some.histograms) {
      EXPECT_EQ(histograms.correct.total, some.correct) << describe(histograms.measure).key;
      EXPECT_EQ(histograms.misclassified.total, some.misclassified)
          << describe(histograms.measure).key;
      EXPECT_EQ(histograms.ood.total, some.ood) << describe(histograms.measure).key;
    }
    EXPECT_EQ(some.reliability.total, some.correct + some.misclassified);
  }
}

TEST_F(SelectionOverviewTest, NothingSelectedIsZeroEverywhere) {
  ItemQuery query;
  query.group = GroupFilter::kAll;
  query.range = MeasureRange{Measure::kConfidence, {2.0, 3.0}};
  const SelectionOverview none = of(query);
  EXPECT_EQ(none.itemCount(), 0);
  EXPECT_TRUE(std::isnan(none.mmc));
  EXPECT_EQ(none.reliability.total, 0);
}

TEST_F(SelectionOverviewTest, EndsWhenItIsCancelled) {
  const SelectionBasis made = basis();
  context.control()->requestCancel();
  const auto result = overviewOfSelection(*analysis, {}, made, context);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(selectionColumns(*analysis, context).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(judgedItems(*analysis, reliability, context).error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
