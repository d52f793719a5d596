// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/selective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/metrics/ranking.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;
using Flags = std::vector<std::uint8_t>;

RiskCoverage riskCoverage(const std::vector<double>& scores, const Flags& correct) {
  return RiskCoverage(thresholdTable(scores, correct));
}

struct Scored {
  std::vector<double> scores;
  Flags correct;
};

Scored randomScored(std::size_t n, std::uint64_t levels, std::mt19937_64& random) {
  Scored scored;
  for (std::size_t i = 0; i < n; ++i) {
    scored.scores.push_back(static_cast<double>(random() % levels));
    scored.correct.push_back(random() % 4 != 0 ? 1 : 0);
  }
  return scored;
}

/// AURC with tied items in the order of the list.
double aurcInOrder(const Scored& scored) {
  std::vector<std::size_t> order(scored.scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t i) { return scored.scores[i]; });
  double sum = 0.0;
  double errors = 0.0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    errors += scored.correct[order[rank]] == 0 ? 1.0 : 0.0;
    sum += errors / static_cast<double>(rank + 1);
  }
  return sum / static_cast<double>(order.size());
}

/// Mean of aurcInOrder over every order of the items: small sets only.
double aurcOverAllOrders(const Scored& scored) {
  std::vector<std::size_t> order(scored.scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double sum = 0.0;
  double orders = 0.0;
  do {
    Scored permuted;
    for (const std::size_t i : order) {
      permuted.scores.push_back(scored.scores[i]);
      permuted.correct.push_back(scored.correct[i]);
    }
    sum += aurcInOrder(permuted);
    orders += 1.0;
  } while (std::next_permutation(order.begin(), order.end()));
  return sum / orders;
}

TEST(Selective, AurcIsTheExpectationOverTheOrdersOfTies) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 5; ++trial) {
    const Scored scored = randomScored(7, 3, random);
    EXPECT_TRUE(closeTo(riskCoverage(scored.scores, scored.correct).aurc(),
                        aurcOverAllOrders(scored), 1e-12, 1e-15));
  }
}

TEST(Selective, WithoutTiesBothOrdersAgree) {
  std::mt19937_64 random(7);
  Scored scored = randomScored(200, 2, random);
  std::iota(scored.scores.begin(), scored.scores.end(), 0.0);
  std::shuffle(scored.scores.begin(), scored.scores.end(), random);
  EXPECT_TRUE(
      closeTo(riskCoverage(scored.scores, scored.correct).aurc(), aurcInOrder(scored), 1e-13));
}

TEST(Selective, AugrcFollowsFromTheAreaUnderTheRoc) {
  std::mt19937_64 random(8);
  for (const std::uint64_t levels : {3U, 20U, 100000U}) {
    const Scored scored = randomScored(500, levels, random);
    const RiskCoverage curve = riskCoverage(scored.scores, scored.correct);
    const double error =
        static_cast<double>(curve.errorCount()) / static_cast<double>(curve.itemCount());
    const double area = areaUnderRoc(thresholdTable(scored.scores, scored.correct));
    EXPECT_TRUE(
        closeTo(curve.augrc(), (1.0 - error) * error * (1.0 - area) + 0.5 * error * error, 1e-12));
  }
}

TEST(Selective, TheOracleIsTheBestScore) {
  std::mt19937_64 random(9);
  const Scored scored = randomScored(300, 40, random);
  const RiskCoverage curve = riskCoverage(scored.scores, scored.correct);
  EXPECT_GT(curve.excessAurc(), 0.0);
  const std::vector<double> perfect(scored.correct.begin(), scored.correct.end());
  const RiskCoverage best = riskCoverage(perfect, scored.correct);
  EXPECT_EQ(best.errorCount(), curve.errorCount());
  EXPECT_LE(best.oracleAurc(), best.aurc());
  EXPECT_DOUBLE_EQ(best.oracleAurc(), curve.oracleAurc());
}

TEST(Selective, ExtremesHaveTheirPlainValues) {
  const std::vector<double> scores{0.3, 0.2, 0.1};
  const RiskCoverage right = riskCoverage(scores, Flags{1, 1, 1});
  EXPECT_EQ(right.aurc(), 0.0);
  EXPECT_EQ(right.excessAurc(), 0.0);
  EXPECT_EQ(right.excessAurcGeifman(), 0.0);
  EXPECT_EQ(right.augrc(), 0.0);
  const RiskCoverage wrong = riskCoverage(scores, Flags{0, 0, 0});
  EXPECT_DOUBLE_EQ(wrong.aurc(), 1.0);
  EXPECT_DOUBLE_EQ(wrong.excessAurc(), 0.0);
  EXPECT_DOUBLE_EQ(wrong.excessAurcGeifman(), 0.0);
  EXPECT_DOUBLE_EQ(wrong.augrc(), 0.5);
  const RiskCoverage one = riskCoverage({0.7}, Flags{1});
  EXPECT_TRUE(std::isnan(one.aurcTrapezoidFromFirst()));
  EXPECT_TRUE(std::isnan(one.augrcTrapezoidFromFirst()));
  EXPECT_THROW(riskCoverage({}, Flags{}), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
