// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/metrics/evaluation.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

Overview overviewOf(const Run& run, const std::vector<NamedRun>& ood = {}) {
  RunContext context;
  return makeOverview(run, ood, {}, context).value();
}

Evaluation evaluationOf(const Run& run, const std::vector<NamedRun>& ood = {}) {
  RunContext context;
  return evaluate(run, ood, {}, context).value();
}

void expectHistogram(const Histogram& histogram, std::int64_t total, double high) {
  EXPECT_EQ(histogram.total, total);
  ASSERT_EQ(histogram.counts.size(), 40U);
  EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::int64_t{0}),
            total);
  EXPECT_EQ(histogram.edges.front(), 0.0);
  EXPECT_DOUBLE_EQ(histogram.edges.back(), high);
}

TEST(Overview, GroupsAddUpAndShareTheirAxes) {
  const dubito::Run run = test::randomRun(900, 10, 2.5, 1, true, true);
  const dubito::Run near = test::randomRun(300, 10, 1.0, 2, false, true);
  const dubito::Run far = test::randomRun(200, 10, 0.4, 3, false, true);
  const Overview overview = overviewOf(run, {{"near", &near}, {"far", &far}});
  EXPECT_EQ(overview.correct + overview.misclassified, 900);
  EXPECT_GT(overview.misclassified, 0);
  EXPECT_EQ(overview.ood, 500);
  ASSERT_EQ(overview.histograms.size(), 3U);
  const std::vector<std::string> keys{"confidence", "entropy", "mutual_information"};
  const double highest_mi = overview.histograms[2].ood.edges.back();
  const std::vector<double> highs{1.0, std::log(10.0), highest_mi};
  for (std::size_t s = 0; s < 3; ++s) {
    const Overview::ScoreHistograms& score = overview.histograms[s];
    EXPECT_EQ(describe(score.measure).key, keys[s]);
    EXPECT_EQ(describe(score.measure).unit, std::string(s == 0 ? "" : "nats"));
    expectHistogram(score.correct, overview.correct, highs[s]);
    expectHistogram(score.misclassified, overview.misclassified, highs[s]);
    expectHistogram(score.ood, overview.ood, highs[s]);
  }
  double largest_mi = 0.0;
  for (const dubito::Run* const part : {&run, &near, &far}) {
    for (const double value : part->mutual_information->values()) {
      largest_mi = std::max(largest_mi, value);
    }
  }
  EXPECT_DOUBLE_EQ(highest_mi, largest_mi);
}

TEST(Overview, CurvesCarryTheMetricsOfTheEvaluation) {
  const dubito::Run run = test::randomRun(5000, 10, 2.5, 4, true, true);
  const dubito::Run ood = test::randomRun(3000, 10, 1.0, 5, false, true);
  const Overview against_ood = overviewOf(run, {{"ood", &ood}});
  const Evaluation evaluation = evaluationOf(run, {{"ood", &ood}});
  EXPECT_EQ(against_ood.ranking_convention, "positive: correct · negative: OOD");
  EXPECT_TRUE(closeTo(
      against_ood.positive_share,
      static_cast<double>(against_ood.correct) / static_cast<double>(against_ood.correct + 3000),
      1e-12));
  ASSERT_EQ(against_ood.roc.size(), 3U);
  ASSERT_EQ(against_ood.precision_recall.size(), 3U);
  for (std::size_t s = 0; s < 3; ++s) {
    const Curve& roc = against_ood.roc[s];
    const Curve& precision_recall = against_ood.precision_recall[s];
    const RankMetrics& expected = evaluation.ood.at(0).correct_vs_ood.at(roc.name);
    EXPECT_EQ(roc.summary, expected.auroc);
    EXPECT_EQ(precision_recall.summary, expected.aupr);
    EXPECT_LE(roc.x.size(), 1000U);
    EXPECT_LE(precision_recall.x.size(), 1000U);
    // The points are thinned, but not their shape: the area below what is drawn is the metric.
    double area = 0.0;
    for (std::size_t i = 1; i < roc.x.size(); ++i) {
      area += (roc.x[i] - roc.x[i - 1]) * 0.5 * (roc.y[i] + roc.y[i - 1]);
    }
    EXPECT_TRUE(closeTo(area, expected.auroc, 0.0, 1e-3));
    double step_area = 0.0;
    for (std::size_t i = 1; i < precision_recall.x.size(); ++i) {
      step_area += (precision_recall.x[i] - precision_recall.x[i - 1]) * 0.5 *
                   (precision_recall.y[i] + precision_recall.y[i - 1]);
    }
    EXPECT_TRUE(closeTo(step_area, expected.aupr, 0.0, 1e-3));
  }
  const Overview alone = overviewOf(run);
  EXPECT_EQ(alone.ranking_convention, "positive: correct · negative: misclassified");
  EXPECT_EQ(alone.roc.at(1).summary, evaluation.misclassified.at("entropy").rank.auroc);
  EXPECT_TRUE(alone.histograms.at(0).ood.counts.empty());
}

TEST(Overview, ReliabilityIsThatOfTheLabelledItems) {
  const dubito::Run run = test::randomRun(700, 4, 1.5, 6, true, false);
  const Overview overview = overviewOf(run);
  const Evaluation evaluation = evaluationOf(run);
  EXPECT_EQ(overview.reliability.total, 700);
  EXPECT_EQ(overview.reliability.ece, *evaluation.ece);
  EXPECT_EQ(overview.reliability.convention, "15 bins, L1, equal width, top-label");
}

TEST(Overview, ConfidencesAloneShowWhatTheyCan) {
  const dubito::Run bare = test::confidenceOnly(test::randomRun(300, 4, 1.5, 7, true, true));
  const Overview overview = overviewOf(bare);
  ASSERT_EQ(overview.histograms.size(), 1U);
  EXPECT_EQ(overview.histograms[0].measure, Measure::kConfidence);
  EXPECT_EQ(overview.roc.size(), 1U);
  EXPECT_EQ(overview.reliability.total, 300);
}

TEST(Overview, WithoutLabelsTheItemsAreStillShown) {
  const Overview overview = overviewOf(test::randomRun(120, 4, 1.5, 8, false, false));
  EXPECT_EQ(overview.unlabelled, 120);
  EXPECT_EQ(overview.correct + overview.misclassified, 0);
  expectHistogram(overview.histograms.at(1).unlabelled, 120, std::log(4.0));
  EXPECT_TRUE(overview.histograms.at(1).correct.counts.empty());
  EXPECT_TRUE(overview.roc.empty());
  EXPECT_EQ(overview.reliability.total, 0);
}

TEST(Overview, AnAxisHasALengthWhereNothingIsUncertain) {
  dubito::Run run =
      test::runOf(Array<float>::fromVector({2, 2}, {1.0F, 0.0F, 0.0F, 1.0F}), {0, 1}, "sure");
  run.mutual_information = Array<double>::zeros({2});
  const Overview overview = overviewOf(run);
  EXPECT_GT(overview.histograms.at(2).correct.edges.back(), 0.0);
}

TEST(Overview, TheWiderOfTwoClassCountsSetsTheEntropyAxis) {
  const dubito::Run run = test::randomRun(60, 3, 2.0, 9, true, false);
  const dubito::Run ood = test::randomRun(60, 12, 0.2, 10, false, false);
  expectHistogram(overviewOf(run, {{"twelve", &ood}}).histograms.at(1).ood, 60, std::log(12.0));
}

TEST(Overview, RejectionCurvesEndAtTheAccuracyAndCarryTheAurc) {
  const dubito::Run run = test::randomRun(3000, 10, 2.0, 6, true, true);
  const dubito::Run ood = test::randomRun(500, 10, 1.0, 7, false, true);
  const Overview overview = overviewOf(run, {{"ood", &ood}});
  const Evaluation evaluation = evaluationOf(run, {{"ood", &ood}});
  ASSERT_EQ(overview.rejection.size(), 3U);
  for (const Curve& curve : overview.rejection) {
    EXPECT_DOUBLE_EQ(curve.x.back(), 1.0);
    EXPECT_TRUE(closeTo(curve.y.back(), *evaluation.accuracy, 1e-12));
    EXPECT_TRUE(std::ranges::is_sorted(curve.x));
    EXPECT_GT(curve.x.front(), 0.0);
    EXPECT_TRUE(closeTo(curve.summary, evaluation.misclassified.at(curve.name).aurc, 1e-9));
    EXPECT_LE(curve.x.size(), 1000U);
  }
  // Half kept by confidence: counted one by one.
  const Curve& by_confidence = overview.rejection[0];
  std::vector<std::pair<double, bool>> items;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    items.emplace_back(run.confidence.data()[i], run.labels.data()[i] == run.predictions.data()[i]);
  }
  std::ranges::stable_sort(items, [](const auto& a, const auto& b) { return a.first > b.first; });
  double right = 0.0;
  for (std::size_t i = 0; i < 1500; ++i) {
    right += items[i].second ? 1.0 : 0.0;
  }
  const auto at = std::ranges::lower_bound(by_confidence.x, 0.5) - by_confidence.x.begin();
  EXPECT_NEAR(by_confidence.y[static_cast<std::size_t>(at)], right / 1500.0, 2e-3);
  EXPECT_TRUE(overviewOf(test::randomRun(50, 3, 1.0, 8, false, false)).rejection.empty());
}

}  // namespace
}  // namespace dubito
