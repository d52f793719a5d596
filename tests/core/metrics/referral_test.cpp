// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/referral.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

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

TEST(ShareOf, ReadsTheFractionAsADecimal) {
  EXPECT_EQ(floorOfShare(1e-300, 10), 0);
  EXPECT_EQ(floorOfShare(0.29, 100), 29);  // 0.29 * 100 is a little below 29 in double
  EXPECT_EQ(floorOfShare(0.999, 1000), 999);
  EXPECT_EQ(floorOfShare(1.0 / 3.0, 3), 0);
  EXPECT_THROW(static_cast<void>(floorOfShare(1.5, 10)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(floorOfShare(std::nan(""), 10)), std::invalid_argument);
}

TEST(ShareOf, AgreesWithIntegerArithmeticForPerMille) {
  for (std::int64_t per_mille = 0; per_mille <= 1000; ++per_mille) {
    const double fraction = static_cast<double>(per_mille) / 1000.0;
    for (const std::int64_t n : {1, 7, 25, 240, 1000, 99'999}) {
      EXPECT_EQ(floorOfShare(fraction, n), per_mille * n / 1000);
    }
  }
}

TEST(Referral, KeepsTheCertainPart) {
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

TEST(Referral, TiesAtTheCutDoNotDependOnTheOrder) {
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
