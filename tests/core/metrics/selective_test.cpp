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

/// Mean of the stable-order AURC over every order of the items: small sets only.
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
    sum += aurcStableOrder(permuted.scores, permuted.correct);
    orders += 1.0;
  } while (std::next_permutation(order.begin(), order.end()));
  return sum / orders;
}

TEST(Selective, aurcIsTheExpectationOverTheOrdersOfTies) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 5; ++trial) {
    const Scored scored = randomScored(7, 3, random);
    EXPECT_TRUE(closeTo(RiskCoverage(scored.scores, scored.correct).aurc(),
                        aurcOverAllOrders(scored), 1e-12, 1e-15));
  }
}

TEST(Selective, withoutTiesBothOrdersAgree) {
  std::mt19937_64 random(7);
  Scored scored = randomScored(200, 2, random);
  std::iota(scored.scores.begin(), scored.scores.end(), 0.0);
  std::shuffle(scored.scores.begin(), scored.scores.end(), random);
  EXPECT_TRUE(closeTo(RiskCoverage(scored.scores, scored.correct).aurc(),
                      aurcStableOrder(scored.scores, scored.correct), 1e-13));
}

TEST(Selective, augrcFollowsFromTheAreaUnderTheRoc) {
  std::mt19937_64 random(8);
  for (const std::uint64_t levels : {3U, 20U, 100000U}) {
    const Scored scored = randomScored(500, levels, random);
    const RiskCoverage curve(scored.scores, scored.correct);
    const double error =
        static_cast<double>(curve.errorCount()) / static_cast<double>(curve.itemCount());
    const double area = areaUnderRoc(thresholdTable(scored.scores, scored.correct));
    EXPECT_TRUE(
        closeTo(curve.augrc(), (1.0 - error) * error * (1.0 - area) + 0.5 * error * error, 1e-12));
  }
}

TEST(Selective, theOracleIsTheBestScore) {
  std::mt19937_64 random(9);
  const Scored scored = randomScored(300, 40, random);
  const RiskCoverage curve(scored.scores, scored.correct);
  EXPECT_GT(curve.excessAurc(), 0.0);
  const std::vector<double> perfect(scored.correct.begin(), scored.correct.end());
  const RiskCoverage best(perfect, scored.correct);
  EXPECT_EQ(best.errorCount(), curve.errorCount());
  EXPECT_LE(best.oracleAurc(), best.aurc());
  EXPECT_DOUBLE_EQ(best.oracleAurc(), curve.oracleAurc());
}

TEST(Selective, extremesHaveTheirPlainValues) {
  const std::vector<double> scores{0.3, 0.2, 0.1};
  const RiskCoverage right(scores, Flags{1, 1, 1});
  EXPECT_EQ(right.aurc(), 0.0);
  EXPECT_EQ(right.excessAurc(), 0.0);
  EXPECT_EQ(right.excessAurcGeifman(), 0.0);
  EXPECT_EQ(right.augrc(), 0.0);
  const RiskCoverage wrong(scores, Flags{0, 0, 0});
  EXPECT_DOUBLE_EQ(wrong.aurc(), 1.0);
  EXPECT_DOUBLE_EQ(wrong.excessAurc(), 0.0);
  EXPECT_DOUBLE_EQ(wrong.excessAurcGeifman(), 0.0);
  EXPECT_DOUBLE_EQ(wrong.augrc(), 0.5);
  const RiskCoverage one(std::vector<double>{0.7}, Flags{1});
  EXPECT_TRUE(std::isnan(one.aurcTrapezoidFromFirst()));
  EXPECT_TRUE(std::isnan(one.augrcTrapezoidFromFirst()));
  EXPECT_THROW(RiskCoverage(std::vector<double>{}, Flags{}), std::invalid_argument);
}

TEST(ShareOf, readsTheFractionAsADecimal) {
  EXPECT_EQ(ceilOfShare(0.28, 25), 7);  // 0.28 * 25 is a little above 7 in double
  EXPECT_EQ(ceilOfShare(0.07, 100), 7);
  EXPECT_EQ(ceilOfShare(0.1, 3), 1);
  EXPECT_EQ(ceilOfShare(1.0, 1'000'000'007), 1'000'000'007);
  EXPECT_EQ(ceilOfShare(0.0, 10), 0);
  EXPECT_EQ(ceilOfShare(1e-300, 10), 1);
  EXPECT_EQ(floorOfShare(1e-300, 10), 0);
  EXPECT_EQ(floorOfShare(0.29, 100), 29);  // 0.29 * 100 is a little below 29 in double
  EXPECT_EQ(floorOfShare(0.999, 1000), 999);
  EXPECT_EQ(floorOfShare(1.0 / 3.0, 3), 0);
  EXPECT_EQ(ceilOfShare(1.0 / 3.0, 3), 1);
  EXPECT_THROW(static_cast<void>(ceilOfShare(1.5, 10)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(ceilOfShare(std::nan(""), 10)), std::invalid_argument);
}

TEST(ShareOf, agreesWithIntegerArithmeticForPerMille) {
  for (std::int64_t per_mille = 0; per_mille <= 1000; ++per_mille) {
    const double fraction = static_cast<double>(per_mille) / 1000.0;
    for (const std::int64_t n : {1, 7, 25, 240, 1000, 99'999}) {
      EXPECT_EQ(ceilOfShare(fraction, n), (per_mille * n + 999) / 1000);
      EXPECT_EQ(floorOfShare(fraction, n), per_mille * n / 1000);
    }
  }
}

TEST(Referral, keepsTheCertainPart) {
  const std::vector<double> scores{0.9, 0.2, 0.8, 0.1, 0.5, 0.6};
  const Flags positive{1, 0, 1, 0, 0, 1};
  const std::vector<double> uncertainty{0.1, 0.1, 0.2, 0.2, 0.9, 0.8};
  EXPECT_EQ(rocAfterReferral(scores, positive, uncertainty, 0.0).summary,
            areaUnderRoc(thresholdTable(scores, positive)));
  const std::vector<double> left(scores.begin(), scores.begin() + 4);
  EXPECT_EQ(rocAfterReferral(scores, positive, uncertainty, 0.34).summary,
            areaUnderRoc(thresholdTable(left, Flags{1, 0, 1, 0})));
  EXPECT_TRUE(rocAfterReferral(scores, positive, uncertainty, 1.0).x.empty());
}

TEST(Referral, tiesAtTheCutDoNotDependOnTheOrder) {
  std::mt19937_64 random(10);
  Scored scored = randomScored(120, 1000, random);
  std::vector<double> uncertainty;
  for (std::size_t i = 0; i < scored.scores.size(); ++i) {
    uncertainty.push_back(static_cast<double>(random() % 4));
  }
  const double expected = rocAfterReferral(scored.scores, scored.correct, uncertainty, 0.3).summary;
  std::vector<std::size_t> order(scored.scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  Scored permuted;
  std::vector<double> uncertainty_permuted;
  for (const std::size_t i : order) {
    permuted.scores.push_back(scored.scores[i]);
    permuted.correct.push_back(scored.correct[i]);
    uncertainty_permuted.push_back(uncertainty[i]);
  }
  EXPECT_TRUE(closeTo(
      rocAfterReferral(permuted.scores, permuted.correct, uncertainty_permuted, 0.3).summary,
      expected, 1e-12));
}

}  // namespace
}  // namespace dubito
