// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/top_k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>

#include "core/measures/beta_distribution.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using Row = std::vector<double>;
using Classes = std::vector<std::int64_t>;

TEST(TopK, AgreesWithTheReference) {
  for (const char* const file : {"topk", "special"}) {
    const nlohmann::json vectors = test::readVectors(file);
    const nlohmann::json& cases = vectors.at(std::string(file) == "topk" ? "cases" : "topk");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& item : cases) {
      EXPECT_EQ(topK(item.at("alpha").get<Row>()), item.at("kept").get<Classes>())
          << item.at("alpha").dump();
    }
  }
}

TEST(TopK, GapsBetweenTheQuantilesAgreeWithTheReference) {
  const nlohmann::json vectors = test::readVectors("special");
  for (const nlohmann::json& item : vectors.at("topk")) {
    Row alpha = item.at("alpha").get<Row>();
    std::stable_sort(alpha.begin(), alpha.end(), std::greater<>());
    const auto gaps = item.at("log_r_minus_log_l").get<Row>();
    for (std::size_t i = 1; i <= gaps.size(); ++i) {
      const auto quantile = [&](std::size_t k, double p) {
        double rest = 0.0;
        for (std::size_t l = 0; l < alpha.size(); ++l) {
          rest += l == k ? 0.0 : alpha[l];
        }
        return betaQuantile(alpha[k], rest, p).log_x;
      };
      // Of logarithms about -0.7 a difference of 3e-15 has one digit.
      EXPECT_TRUE(
          test::closeTo(quantile(i, 0.975) - quantile(i - 1, 0.025), gaps[i - 1], 1e-9, 1e-15))
          << item.at("alpha").dump() << i;
    }
  }
}

// The algorithm as it is printed.
Classes plainTopK(const Row& alpha, double threshold, std::size_t most) {
  Classes order(alpha.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t k, std::int64_t l) {
    return alpha[static_cast<std::size_t>(k)] > alpha[static_cast<std::size_t>(l)];
  });
  const double precision = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  Classes kept{order[0]};
  for (std::size_t i = 1; i < order.size() && kept.size() < most; ++i) {
    const double before = alpha[static_cast<std::size_t>(order[i - 1])];
    const double own = alpha[static_cast<std::size_t>(order[i])];
    const double l = boost::math::ibeta_inv(before, precision - before, 0.5 * threshold);
    const double r = boost::math::ibeta_inv(own, precision - own, 1.0 - 0.5 * threshold);
    if (!(r > l)) {
      break;
    }
    kept.push_back(order[i]);
  }
  return kept;
}

TEST(TopK, AgreesWithThePlainVersion) {
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> exponent(0.0, 3.0);
  for (int trial = 0; trial < 500; ++trial) {
    Row alpha(static_cast<std::size_t>(2 + trial % 20));
    for (double& value : alpha) {
      value = std::exp(exponent(random)) * (1.0 + trial % 7);
    }
    for (const double threshold : {0.05, 0.4}) {
      EXPECT_EQ(topK(alpha, {threshold, 7}), plainTopK(alpha, threshold, 7))
          << nlohmann::json(alpha).dump();
    }
  }
}

TEST(TopK, IsSortedDistinctAndNotEmpty) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> exponent(-5.0, 8.0);
  for (int trial = 0; trial < 300; ++trial) {
    Row alpha(static_cast<std::size_t>(2 + trial % 30));
    for (double& value : alpha) {
      value = std::pow(10.0, exponent(random));
    }
    const Classes kept = topK(alpha);
    ASSERT_FALSE(kept.empty());
    EXPECT_LE(kept.size(), 10U);
    EXPECT_EQ(std::set<std::int64_t>(kept.begin(), kept.end()).size(), kept.size());
    for (std::size_t i = 1; i < kept.size(); ++i) {
      EXPECT_GE(alpha[static_cast<std::size_t>(kept[i - 1])],
                alpha[static_cast<std::size_t>(kept[i])]);
    }
    // A smaller share outside makes wider intervals.
    EXPECT_GE(topK(alpha, {0.01, 10}).size(), kept.size());
    EXPECT_EQ(topK(alpha, {0.05, 1}).size(), 1U);
  }
}

TEST(TopK, TiesKeepTheirOrder) {
  EXPECT_EQ(topK(Row{2.0, 5.0, 5.0, 5.0}), (Classes{1, 2, 3, 0}));
}

TEST(TopK, SurvivesAnyAlpha) {
  for (const double tiny : {1e-300, 1e-30, 1e-3}) {
    for (const double huge : {1.0, 1e15, 1e30}) {
      EXPECT_EQ(topK(Row{tiny, huge, tiny}).front(), 1);
    }
    EXPECT_EQ(topK(Row{tiny, tiny}), (Classes{0, 1}));
  }
}

TEST(TopK, RefusesWhatIsNoDirichletOrRule) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const Row& alpha : {Row{}, Row{1.0}, Row{1.0, 0.0}, Row{1.0, inf}, Row{1.0, std::nan("")}}) {
    EXPECT_THROW(static_cast<void>(topK(alpha)), std::invalid_argument);
  }
  for (const TopKRule& rule : {TopKRule{0.0, 10}, TopKRule{1.0, 10}, TopKRule{0.05, 0}}) {
    EXPECT_THROW(static_cast<void>(topK(Row{1.0, 2.0}, rule)), std::invalid_argument);
  }
}

}  // namespace
}  // namespace dubito
