// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/item_ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "core/metrics/selective.h"

namespace dubito {
namespace {

/// Items with scores that repeat, in two runs; the second is OOD.
struct Items {
  std::vector<double> scores[2];
  std::vector<ItemMark> marks;  ///< by item, kNotChosen for a third of them
};

Items someItems(std::uint32_t seed, std::size_t count, int distinct) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> score(0, distinct - 1);
  std::uniform_int_distribution<int> third(0, 2);
  Items items;
  for (const bool ood : {false, true}) {
    for (std::size_t i = 0; i < count; ++i) {
      items.scores[ood ? 1 : 0].push_back(0.01 * score(random) - (ood ? 0.002 : 0.0));
      const ItemMark kind = ood                  ? ItemMark::kOod
                            : third(random) == 0 ? ItemMark::kMisclassified
                                                 : ItemMark::kCorrect;
      items.marks.push_back(third(random) == 0 ? ItemMark::kNotChosen : kind);
    }
  }
  return items;
}

/// The table of the chosen items alone, as ranking.h makes it.
ThresholdTable tableOf(const Items& items, ItemMark negatives, double sign) {
  std::vector<double> scores;
  std::vector<std::uint8_t> positive;
  std::size_t item = 0;
  for (const std::vector<double>& run : items.scores) {
    for (const double score : run) {
      const ItemMark mark = items.marks[item++];
      if (mark == ItemMark::kCorrect || mark == negatives) {
        scores.push_back(sign * score);
        positive.push_back(mark == ItemMark::kCorrect ? 1 : 0);
      }
    }
  }
  return thresholdTable(scores, positive);
}

double distance(const Curve& polyline, double x, double y) {
  double best = 1e9;
  for (std::size_t i = 1; i < polyline.x.size(); ++i) {
    const double dx = polyline.x[i] - polyline.x[i - 1];
    const double dy = polyline.y[i] - polyline.y[i - 1];
    const double length = dx * dx + dy * dy;
    const double t =
        length > 0.0 ? ((x - polyline.x[i - 1]) * dx + (y - polyline.y[i - 1]) * dy) / length : 0.0;
    const double at = std::clamp(t, 0.0, 1.0);
    best = std::min(best,
                    std::hypot(polyline.x[i - 1] + at * dx - x, polyline.y[i - 1] + at * dy - y));
  }
  return best;
}

class ItemRankingTest : public testing::TestWithParam<std::tuple<RankOrder, int>> {};

TEST_P(ItemRankingTest, CurvesOfChosenItemsAreThoseOfASortedTable) {
  const auto [order, distinct] = GetParam();
  const double sign = order == RankOrder::kHighFirst ? 1.0 : -1.0;
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    const Items items = someItems(seed, 3000, distinct);
    const ItemRanking ranking =
        rankItems("score", {items.scores[0], items.scores[1]}, order, RunContext());
    const std::vector<ItemMark>& marks = items.marks;
    for (const ItemMark negatives : {ItemMark::kMisclassified, ItemMark::kOod}) {
      const RankedCurves curves =
          curvesOfChosen(ranking, marks, negatives, CurveDetail::kWithSummary, RunContext());
      const ThresholdTable table = tableOf(items, negatives, sign);
      const Curve roc = rocCurve(table);
      EXPECT_NEAR(curves.roc.summary, roc.summary, 1e-12);
      EXPECT_NEAR(curves.precision_recall.summary, averagePrecision(table), 1e-12);
      for (std::size_t i = 0; i < roc.x.size(); ++i) {
        EXPECT_LE(distance(curves.roc, roc.x[i], roc.y[i]), 1.0 / 400.0);
      }
      const Curve precision_recall = precisionRecallCurve(table);
      for (std::size_t i = 0; i < precision_recall.x.size(); ++i) {
        EXPECT_LE(distance(curves.precision_recall, precision_recall.x[i], precision_recall.y[i]),
                  1.0 / 400.0);
      }
      EXPECT_LE(curves.roc.x.size(), 2U * 800U + 3U);
    }
    const RiskCoverage coverage(tableOf(items, ItemMark::kMisclassified, sign));
    const RankedCurves curves = curvesOfChosen(ranking, marks, ItemMark::kMisclassified,
                                               CurveDetail::kWithSummary, RunContext());
    EXPECT_NEAR(curves.rejection.summary, coverage.aurc(), 1e-12);
    for (const RiskCoveragePoint& point : coverage.points()) {
      EXPECT_LE(
          distance(curves.rejection,
                   static_cast<double>(point.kept) / static_cast<double>(coverage.itemCount()),
                   point.accuracy()),
          1.0 / 400.0);
    }
  }
}

void expectWithin(const Curve& exact, const Curve& drawn, double limit) {
  ASSERT_EQ(exact.x.empty(), drawn.x.empty());
  if (exact.x.empty()) {
    return;
  }
  EXPECT_EQ(drawn.x.back(), exact.x.back());
  EXPECT_EQ(drawn.y.back(), exact.y.back());
  for (std::size_t i = 0; i < exact.x.size(); ++i) {
    ASSERT_LE(distance(drawn, exact.x[i], exact.y[i]), limit) << exact.x[i];
  }
}

TEST_P(ItemRankingTest, PointsAloneAreThoseOfTheWholeWalk) {
  const auto [order, distinct] = GetParam();
  // More places than blocks, and chosen items all over, rare, and close together.
  Items items = someItems(4, 60000, distinct);
  const ItemRanking ranking =
      rankItems("score", {items.scores[0], items.scores[1]}, order, RunContext());
  ASSERT_EQ(ranking.block_ends.back(), 120000U);
  ASSERT_LE(ranking.block_ends.size(), ItemRanking::kMaxBlocks);
  ASSERT_TRUE(distinct == 1 || ranking.block_ends.size() > 1);
  for (const int choice : {0, 1, 2}) {
    std::vector<ItemMark> marks = items.marks;
    for (std::size_t place = 0; place < marks.size(); ++place) {
      if ((choice == 1 && place % 97 != 0) || (choice == 2 && place / 700 != 20)) {
        marks[ranking.item_at[place]] = ItemMark::kNotChosen;
      }
    }
    const RankedCurves exact =
        curvesOfChosen(ranking, marks, ItemMark::kOod, CurveDetail::kWithSummary, RunContext());
    const RankedCurves drawn =
        curvesOfChosen(ranking, marks, ItemMark::kOod, CurveDetail::kPoints, RunContext());
    expectWithin(exact.roc, drawn.roc, 0.01);
    expectWithin(exact.precision_recall, drawn.precision_recall, 0.01);
    expectWithin(exact.rejection, drawn.rejection, 0.01);
    EXPECT_TRUE(std::isnan(drawn.roc.summary));
  }
}

/// The line that is drawn through points as steps: from a point to the y of the next one, then to
/// its x.
Curve asSteps(const Curve& points) {
  Curve line;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    if (i > 0) {
      line.x.push_back(points.x[i - 1]);
      line.y.push_back(points.y[i]);
    }
    line.x.push_back(points.x[i]);
    line.y.push_back(points.y[i]);
  }
  return line;
}

/// Chosen items of blocks of 32: how many of each are correct and misclassified; the rest is OOD.
struct Blocks {
  std::size_t count = 0;
  std::size_t correct = 0;
  std::size_t misclassified = 0;
};

TEST(ItemRanking, PointsAloneAreNearWhateverTheOrderWithinABlock) {
  constexpr std::size_t kItems = 32 * ItemRanking::kMaxBlocks;
  std::vector<double> scores(kItems);
  for (std::size_t i = 0; i < kItems; ++i) {
    scores[i] = static_cast<double>(i);
  }
  const ItemRanking ranking = rankItems("score", {scores}, RankOrder::kLowFirst, RunContext());
  ASSERT_EQ(ranking.block_ends.front(), 32U);
  const std::vector<std::vector<Blocks>> cases{
      {{8192, 16, 0}},
      {{50, 16, 8}},
      {{900, 31, 1}},
      {{1, 1, 31}, {80, 0, 32}, {1, 31, 1}, {80, 0, 32}},  // precision-recall in a single block
      {{1, 8, 8}, {5000, 0, 0}, {1, 16, 16}, {9, 0, 0}},   // rejection in a single block
      {{400, 0, 32}, {1, 16, 0}, {1, 16, 16}, {9, 1, 0}},
  };
  for (std::size_t number = 0; number < cases.size(); ++number) {
    for (const bool correct_first : {true, false}) {
      std::vector<ItemMark> marks(kItems, ItemMark::kNotChosen);
      std::size_t item = 0;
      for (const Blocks& blocks : cases[number]) {
        for (std::size_t i = 0; i < 32 * blocks.count; ++i) {
          const std::size_t place = correct_first ? i % 32 : 31 - i % 32;
          marks[item++] = place < blocks.correct                          ? ItemMark::kCorrect
                          : place < blocks.correct + blocks.misclassified ? ItemMark::kMisclassified
                                                                          : ItemMark::kOod;
        }
      }
      SCOPED_TRACE(testing::Message() << "case " << number << " " << correct_first);
      for (const ItemMark negatives : {ItemMark::kMisclassified, ItemMark::kOod}) {
        const auto curvesOf = [&](CurveDetail detail) {
          return curvesOfChosen(ranking, marks, negatives, detail, RunContext());
        };
        const RankedCurves exact = curvesOf(CurveDetail::kWithSummary);
        const RankedCurves drawn = curvesOf(CurveDetail::kPoints);
        expectWithin(exact.roc, drawn.roc, 0.01);
        expectWithin(exact.rejection, drawn.rejection, 0.01);
        expectWithin(asSteps(exact.precision_recall), asSteps(drawn.precision_recall), 0.01);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OrdersAndTies, ItemRankingTest,
                         testing::Combine(testing::Values(RankOrder::kHighFirst,
                                                          RankOrder::kLowFirst),
                                          testing::Values(1, 7, 1000000)));

TEST(ItemRanking, ASampleIsThoseItemsInTheSameOrder) {
  const Items items = someItems(5, 20000, 300);
  const ItemRanking ranking =
      rankItems("score", {items.scores[0], items.scores[1]}, RankOrder::kLowFirst, RunContext());
  const ItemRanking sample = sampledRanking(ranking, 8);
  EXPECT_NEAR(static_cast<double>(sample.item_at.size()), 5000.0, 250.0);
  EXPECT_EQ(sample.block_ends.back(), sample.item_at.size());
  // The curves are those of the sampled items alone.
  std::vector<ItemMark> kept(items.marks.size());
  for (const std::uint32_t item : sample.item_at) {
    kept[item] = items.marks[item];
  }
  for (const CurveDetail detail : {CurveDetail::kPoints, CurveDetail::kWithSummary}) {
    const RankedCurves of_sample =
        curvesOfChosen(sample, items.marks, ItemMark::kOod, detail, RunContext());
    const RankedCurves alone =
        curvesOfChosen(ranking, kept, ItemMark::kOod, CurveDetail::kWithSummary, RunContext());
    expectWithin(alone.roc, of_sample.roc, detail == CurveDetail::kPoints ? 0.01 : 0.0025);
    if (detail == CurveDetail::kWithSummary) {
      EXPECT_NEAR(of_sample.roc.summary, alone.roc.summary, 1e-12);
      EXPECT_NEAR(of_sample.rejection.summary, alone.rejection.summary, 1e-12);
    }
  }
  EXPECT_EQ(sampledRanking(ranking, 1).item_at, ranking.item_at);
  EXPECT_EQ(sampledRanking(ranking, 1).ends_tie, ranking.ends_tie);
}

TEST(ItemRanking, EqualScoresAreOneTie) {
  const std::vector<double> scores{0.5, 0.9, 0.5, 0.0, -0.0};
  const ItemRanking ranking = rankItems("score", {scores}, RankOrder::kHighFirst, RunContext());
  EXPECT_EQ(ranking.item_at, (std::vector<std::uint32_t>{1, 0, 2, 3, 4}));
  EXPECT_EQ(ranking.ends_tie, (std::vector<std::uint8_t>{1, 0, 1, 0, 1}));
}

TEST(ItemRanking, AGroupThatIsMissingLeavesNoCurve) {
  const std::vector<double> scores{0.5, 0.9};
  const ItemRanking ranking = rankItems("score", {scores}, RankOrder::kHighFirst, RunContext());
  const std::vector<ItemMark> correct{ItemMark::kCorrect, ItemMark::kCorrect};
  const RankedCurves curves =
      curvesOfChosen(ranking, correct, ItemMark::kOod, CurveDetail::kWithSummary, RunContext());
  EXPECT_TRUE(curves.roc.x.empty());
  EXPECT_TRUE(std::isnan(curves.roc.summary));
  EXPECT_TRUE(curves.precision_recall.x.empty());
  EXPECT_EQ(curves.rejection.y, (std::vector<double>{1.0, 1.0}));
  EXPECT_EQ(curves.rejection.summary, 0.0);
  const std::vector<ItemMark> none(2, ItemMark::kNotChosen);
  for (const CurveDetail detail : {CurveDetail::kPoints, CurveDetail::kWithSummary}) {
    EXPECT_TRUE(
        curvesOfChosen(ranking, none, ItemMark::kOod, detail, RunContext()).rejection.x.empty());
  }
}

TEST(ItemRanking, RefusesTooFewMarks) {
  const std::vector<double> scores{0.5, 0.9};
  const ItemRanking ranking = rankItems("score", {scores}, RankOrder::kHighFirst, RunContext());
  const std::vector<ItemMark> marks(1, ItemMark::kCorrect);
  EXPECT_THROW(
      (void)curvesOfChosen(ranking, marks, ItemMark::kOod, CurveDetail::kPoints, RunContext()),
      std::invalid_argument);
}

}  // namespace
}  // namespace dubito
