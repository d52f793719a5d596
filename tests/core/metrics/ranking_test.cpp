// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "tests/core/metrics/rank_reference.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;
using Flags = std::vector<std::uint8_t>;

struct Ranked {
  std::vector<double> scores;
  Flags positive;
};

/// Scores with many ties.
Ranked randomRanking(std::size_t n, std::mt19937_64& random) {
  Ranked ranked;
  for (std::size_t i = 0; i < n; ++i) {
    ranked.positive.push_back(random() % 3 != 0 ? 1 : 0);
    ranked.scores.push_back(static_cast<double>(random() % 17) / 16.0 +
                            (ranked.positive.back() != 0 ? 0.125 : 0.0));
  }
  ranked.positive[0] = 1;
  ranked.positive[1] = 0;
  return ranked;
}

double slowAuroc(const Ranked& ranked) {
  double wins = 0.0;
  double pairs = 0.0;
  for (std::size_t i = 0; i < ranked.scores.size(); ++i) {
    for (std::size_t j = 0; j < ranked.scores.size(); ++j) {
      if (ranked.positive[i] != 0 && ranked.positive[j] == 0) {
        pairs += 1.0;
        wins += ranked.scores[i] > ranked.scores[j]    ? 1.0
                : ranked.scores[i] == ranked.scores[j] ? 0.5
                                                       : 0.0;
      }
    }
  }
  return wins / pairs;
}

struct Rates {
  double tpr = 0.0;
  double fpr = 0.0;
  double precision = 0.0;
};

Rates ratesAt(const Ranked& ranked, double threshold) {
  double tp = 0.0;
  double fp = 0.0;
  double positives = 0.0;
  double negatives = 0.0;
  for (std::size_t i = 0; i < ranked.scores.size(); ++i) {
    const bool passes = ranked.scores[i] >= threshold;
    const bool is_positive = ranked.positive[i] != 0;
    tp += passes && is_positive ? 1.0 : 0.0;
    fp += passes && !is_positive ? 1.0 : 0.0;
    positives += is_positive ? 1.0 : 0.0;
    negatives += is_positive ? 0.0 : 1.0;
  }
  return {tp / positives, fp / negatives, tp / (tp + fp)};
}

TEST(Ranking, AgreesWithTheDefinitions) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 40; ++trial) {
    const Ranked ranked = randomRanking(5 + static_cast<std::size_t>(trial) * 4, random);
    const RankMetrics metrics = test::ranked(ranked.scores, ranked.positive).walked.rank;
    EXPECT_TRUE(closeTo(metrics.auroc, slowAuroc(ranked), 1e-12));
    const std::set<double, std::greater<>> thresholds(ranked.scores.begin(), ranked.scores.end());
    double average_precision = 0.0;
    double recall_before = 0.0;
    double fpr95 = -1.0;
    for (const double threshold : thresholds) {
      const Rates rates = ratesAt(ranked, threshold);
      average_precision += (rates.tpr - recall_before) * rates.precision;
      recall_before = rates.tpr;
      if (fpr95 < 0.0 && rates.tpr >= 0.95) {
        fpr95 = rates.fpr;
      }
    }
    EXPECT_TRUE(closeTo(metrics.aupr, average_precision, 1e-12));
    EXPECT_TRUE(closeTo(metrics.fpr95, fpr95, 1e-12));
  }
}

TEST(Ranking, IsInvariantUnderPermutationAndMonotoneTransformation) {
  std::mt19937_64 random(3);
  const Ranked ranked = randomRanking(300, random);
  const RankMetrics expected = test::ranked(ranked.scores, ranked.positive).walked.rank;
  Ranked changed;
  std::vector<std::size_t> order(ranked.scores.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::shuffle(order.begin(), order.end(), random);
  for (const std::size_t i : order) {
    changed.scores.push_back(std::exp(3.0 * ranked.scores[i]) - 7.0);
    changed.positive.push_back(ranked.positive[i]);
  }
  const RankMetrics actual = test::ranked(changed.scores, changed.positive).walked.rank;
  EXPECT_EQ(actual.auroc, expected.auroc);
  EXPECT_EQ(actual.aupr, expected.aupr);
  EXPECT_EQ(actual.fpr95, expected.fpr95);
}

TEST(Ranking, SwappingTheGroupsAndTheSignKeepsTheArea) {
  std::mt19937_64 random(4);
  const Ranked ranked = randomRanking(200, random);
  Ranked swapped = ranked;
  for (std::size_t i = 0; i < ranked.scores.size(); ++i) {
    swapped.scores[i] = -ranked.scores[i];
    swapped.positive[i] = ranked.positive[i] != 0 ? 0 : 1;
  }
  EXPECT_TRUE(closeTo(areaUnderRoc(thresholdTable(swapped.scores, swapped.positive)),
                      areaUnderRoc(thresholdTable(ranked.scores, ranked.positive)), 1e-14));
}

TEST(Ranking, CurvesCarryTheirAreas) {
  std::mt19937_64 random(5);
  const Ranked ranked = randomRanking(400, random);
  const ThresholdTable table = thresholdTable(ranked.scores, ranked.positive);
  const Curve roc = rocCurve(table);
  EXPECT_EQ(roc.x.front(), 0.0);
  EXPECT_EQ(roc.y.front(), 0.0);
  EXPECT_EQ(roc.x.back(), 1.0);
  EXPECT_EQ(roc.y.back(), 1.0);
  double trapezoid = 0.0;
  for (std::size_t i = 1; i < roc.x.size(); ++i) {
    EXPECT_GE(roc.x[i], roc.x[i - 1]);
    EXPECT_GE(roc.y[i], roc.y[i - 1]);
    trapezoid += (roc.x[i] - roc.x[i - 1]) * 0.5 * (roc.y[i] + roc.y[i - 1]);
  }
  EXPECT_TRUE(closeTo(trapezoid, roc.summary, 1e-12));
  const Curve precision_recall = precisionRecallCurve(table);
  double steps = 0.0;
  for (std::size_t i = 1; i < precision_recall.x.size(); ++i) {
    steps += (precision_recall.x[i] - precision_recall.x[i - 1]) * precision_recall.y[i];
  }
  EXPECT_TRUE(closeTo(steps, precision_recall.summary, 1e-12));
  EXPECT_EQ(precision_recall.x.front(), 0.0);
  EXPECT_EQ(precision_recall.x.back(), 1.0);
}

TEST(Ranking, WeightsCountAsRepetitions) {
  const std::vector<double> scores{0.9, 0.8, 0.7, 0.6};
  const Flags positive{1, 0, 1, 0};
  const std::vector<double> weights{2.0, 1.0, 3.0, 0.0};
  const std::vector<double> repeated{0.9, 0.9, 0.8, 0.7, 0.7, 0.7};
  const ThresholdTable weighted = thresholdTable(scores, positive, weights);
  const ThresholdTable expected = thresholdTable(repeated, Flags{1, 1, 0, 1, 1, 1});
  EXPECT_DOUBLE_EQ(areaUnderRoc(weighted), areaUnderRoc(expected));
  EXPECT_DOUBLE_EQ(averagePrecision(weighted), averagePrecision(expected));
}

TEST(Ranking, AMissingGroupHasNoMetrics) {
  for (const Flags& positive : {Flags{1, 1}, Flags{0, 0}}) {
    const auto [table, walked] = test::ranked(std::vector<double>{0.1, 0.2}, positive);
    const RankMetrics& metrics = walked.rank;
    EXPECT_TRUE(std::isnan(metrics.auroc) && std::isnan(metrics.aupr) && std::isnan(metrics.fpr95));
    EXPECT_TRUE(rocCurve(table).x.empty());
  }
  EXPECT_TRUE(std::isnan(test::ranked({}, {}).walked.rank.auroc));
}

TEST(Ranking, ContractBreaksThrow) {
  EXPECT_THROW(static_cast<void>(thresholdTable(std::vector<double>{0.5}, Flags{})),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(thresholdTable(std::vector<double>{std::nan("")}, Flags{1})),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
