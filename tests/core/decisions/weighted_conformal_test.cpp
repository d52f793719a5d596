// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/weighted_conformal.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "core/decisions/conformal.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

TEST(WeightedConformal, AgreesWithTheReferenceVector) {
  DUBITO_NEEDS_SHARED();
  const auto object =
      nlohmann::json::parse(std::ifstream(*test::sharedDir() / "vectors" / "review.json"))
          .at("weighted_conformal");
  auto scores = object.at("scores_sorted").get<std::vector<double>>();
  auto weights = object.at("weights").get<std::vector<double>>();
  const double alpha = object.at("alpha");
  const double weight = object.at("weight_of_test");
  const double expected = object.at("threshold");
  EXPECT_EQ(WeightedConformal(scores, weights).threshold(alpha, weight), expected);
  // In any order.
  std::ranges::reverse(scores);
  std::ranges::reverse(weights);
  EXPECT_EQ(WeightedConformal(scores, weights).threshold(alpha, weight), expected);
}

TEST(WeightedConformal, EqualWeightsGiveTheUsualThreshold) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform;
  for (const std::int64_t n : {1, 9, 19, 99, 100, 1000}) {
    std::vector<double> scores;
    for (std::int64_t i = 0; i < n; ++i) {
      scores.push_back(uniform(random));
    }
    std::vector<double> sorted = scores;
    std::ranges::sort(sorted);
    for (const double alpha : {0.01, 0.05, 0.1, 0.3, 0.7}) {
      for (const double weight : {1.0, 0.37}) {
        const WeightedConformal calibrated(
            scores, std::vector<double>(static_cast<std::size_t>(n), weight));
        const std::int64_t order = conformalOrder(n, alpha);
        const double expected = order > n ? std::numeric_limits<double>::infinity()
                                          : sorted[static_cast<std::size_t>(order - 1)];
        EXPECT_EQ(calibrated.threshold(alpha, weight), expected) << n << " " << alpha;
        EXPECT_NEAR(calibrated.effectiveItems(), static_cast<double>(n),
                    1e-9 * static_cast<double>(n));
      }
    }
  }
}

TEST(WeightedConformal, AWeightIsLikeThatManyItems) {
  const std::vector<double> scores{0.1, 0.2, 0.3};
  const std::vector<double> weights{2.0, 1.0, 4.0};
  const std::vector<double> repeated{0.1, 0.1, 0.2, 0.3, 0.3, 0.3, 0.3};
  const WeightedConformal weighted(scores, weights);
  const WeightedConformal plain(repeated, std::vector<double>(7, 1.0));
  for (const double alpha : {0.1, 0.2, 0.5, 0.6, 0.7, 0.8}) {
    EXPECT_EQ(weighted.threshold(alpha, 1.0), plain.threshold(alpha, 1.0)) << alpha;
  }
}

TEST(WeightedConformal, HeavyTestItemsGetEveryClass) {
  const std::vector<double> scores{0.1, 0.2};
  const WeightedConformal calibrated(scores, std::vector<double>{1.0, 1.0});
  EXPECT_EQ(calibrated.threshold(0.5, 1.0), 0.2);
  EXPECT_TRUE(std::isinf(calibrated.threshold(0.5, 3.0)));
  EXPECT_TRUE(std::isinf(WeightedConformal({}, {}).threshold(0.5, 1.0)));
  const WeightedConformal weightless(scores, std::vector<double>{0.0, 0.0});
  EXPECT_TRUE(std::isinf(weightless.threshold(0.5, 0.0)));
  EXPECT_EQ(weightless.effectiveItems(), 0.0);
}

TEST(WeightedConformal, RefusesInvalidInputs) {
  const std::vector<double> scores{0.1, 0.2};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(WeightedConformal(scores, std::vector<double>{1.0}), std::invalid_argument);
  EXPECT_THROW(WeightedConformal(scores, std::vector<double>{1.0, -1.0}), std::invalid_argument);
  EXPECT_THROW(WeightedConformal(std::vector<double>{0.1, nan}, std::vector<double>{1.0, 1.0}),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
