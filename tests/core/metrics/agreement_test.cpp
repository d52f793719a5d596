// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <stdexcept>

#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;
using Ratings = std::vector<std::int64_t>;

std::vector<Ratings> ratersOfVectors() {
  return test::readVectors("review").at("agreement").at("raters").get<std::vector<Ratings>>();
}

/// Ratings of two annotators who both rate the truth with this probability, else at random.
std::pair<Ratings, Ratings> randomRatings(std::int64_t items, std::int64_t classes, double skill,
                                          std::mt19937_64& random) {
  std::uniform_int_distribution<std::int64_t> any(0, classes - 1);
  std::bernoulli_distribution knows(skill);
  std::pair<Ratings, Ratings> ratings;
  for (std::int64_t i = 0; i < items; ++i) {
    const std::int64_t truth = any(random);
    ratings.first.push_back(knows(random) ? truth : any(random));
    ratings.second.push_back(knows(random) ? truth : any(random));
  }
  return ratings;
}

/// Cohen's kappa by comparing every rating of one annotator with every rating of the other.
double kappaByPairs(const Ratings& first, const Ratings& second) {
  double observed = 0.0;
  double expected = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    observed += first[i] == second[i] ? 1.0 : 0.0;
    for (const std::int64_t other : second) {
      expected += first[i] == other ? 1.0 : 0.0;
    }
  }
  const auto n = static_cast<double>(first.size());
  return (observed / n - expected / (n * n)) / (1.0 - expected / (n * n));
}

/// Fleiss' kappa by comparing every pair of ratings; all items have all ratings.
double fleissByPairs(const std::vector<Ratings>& ratings) {
  double observed = 0.0;
  double pairs = 0.0;
  double expected = 0.0;
  double all_pairs = 0.0;
  for (std::size_t i = 0; i < ratings.front().size(); ++i) {
    for (std::size_t a = 0; a < ratings.size(); ++a) {
      for (std::size_t b = 0; b < ratings.size(); ++b) {
        if (a != b) {
          observed += ratings[a][i] == ratings[b][i] ? 1.0 : 0.0;
          pairs += 1.0;
        }
        for (const std::int64_t other : ratings[b]) {
          expected += ratings[a][i] == other ? 1.0 : 0.0;
          all_pairs += 1.0;
        }
      }
    }
  }
  return (observed / pairs - expected / all_pairs) / (1.0 - expected / all_pairs);
}

TEST(Agreement, AgreesWithTheReference) {
  const json vectors = test::readVectors("review").at("agreement");
  const std::vector<Ratings> raters = ratersOfVectors();
  const CohenAgreement cohen = cohenAgreement(raters[0], raters[1]);
  ASSERT_TRUE(cohen.kappa && cohen.variance && cohen.interval95);
  EXPECT_EQ(cohen.items, 60);
  EXPECT_EQ(cohen.left_out, 0);
  EXPECT_TRUE(closeTo(*cohen.kappa, vectors.at("cohen_0_1").get<double>(), 1e-13));
  EXPECT_TRUE(closeTo(*cohen.variance, vectors.at("cohen_0_1_variance").get<double>(), 1e-12));
  EXPECT_TRUE(closeTo(cohen.interval95->low, vectors.at("cohen_0_1_low95").get<double>(), 1e-12));
  EXPECT_TRUE(closeTo(cohen.interval95->high, vectors.at("cohen_0_1_high95").get<double>(), 1e-12));
  EXPECT_TRUE(closeTo(cohenAgreement(raters[0], raters[2]).kappa.value(),
                      vectors.at("cohen_0_2").get<double>(), 1e-13));
  const FleissAgreement fleiss = fleissAgreement(raters);
  EXPECT_EQ(fleiss.ratings_per_item, 3);
  EXPECT_EQ(fleiss.items, 60);
  EXPECT_TRUE(closeTo(fleiss.kappa.value(), vectors.at("fleiss").get<double>(), 1e-13));
}

TEST(Agreement, AgreesWithTheComparisonOfAllPairs) {
  std::mt19937_64 random(3);
  for (const double skill : {0.0, 0.4, 0.9}) {
    const auto [first, second] = randomRatings(80, 3, skill, random);
    EXPECT_TRUE(closeTo(cohenAgreement(first, second).kappa.value(), kappaByPairs(first, second),
                        1e-12, 1e-14));
    const auto [third, fourth] = randomRatings(80, 3, skill, random);
    const std::vector<Ratings> all = {first, second, third, fourth};
    EXPECT_TRUE(closeTo(fleissAgreement(all).kappa.value(), fleissByPairs(all), 1e-12, 1e-14));
  }
}

TEST(Agreement, IsNotDefinedIfChanceAloneAgreesAlways) {
  const Ratings constant(10, 2);
  const CohenAgreement same = cohenAgreement(constant, constant);
  EXPECT_EQ(same.items, 10);
  EXPECT_EQ(same.observed, 1.0);
  EXPECT_EQ(same.expected, 1.0);
  EXPECT_FALSE(same.kappa || same.variance || same.interval95);
  const FleissAgreement fleiss = fleissAgreement({constant, constant, constant});
  EXPECT_EQ(fleiss.observed, 1.0);
  EXPECT_FALSE(fleiss.kappa);

  // Two different constant classes never agree, which is exactly what chance gives.
  EXPECT_EQ(cohenAgreement(constant, Ratings(10, 1)).kappa, 0.0);

  const CohenAgreement none = cohenAgreement(Ratings{1, -1}, Ratings{-1, 1});
  EXPECT_EQ(none.items, 0);
  EXPECT_EQ(none.left_out, 2);
  EXPECT_FALSE(none.kappa);
  EXPECT_FALSE(cohenAgreement({}, {}).kappa);
  EXPECT_FALSE(fleissAgreement({}).kappa);
  const FleissAgreement single = fleissAgreement({{0, 1, 0}});
  EXPECT_EQ(single.ratings_per_item, 0);
  EXPECT_EQ(single.left_out, 3);
  EXPECT_FALSE(single.kappa);
}

TEST(Agreement, IsOneForEqualRatings) {
  const Ratings ratings = {0, 1, 2, 1, 0};
  const CohenAgreement cohen = cohenAgreement(ratings, ratings);
  EXPECT_EQ(cohen.kappa, 1.0);
  EXPECT_NEAR(cohen.variance.value(), 0.0, 1e-15);
  EXPECT_NEAR(fleissAgreement({ratings, ratings, ratings}).kappa.value(), 1.0, 1e-15);
}

TEST(Agreement, LeavesOutItemsWithMissingRatings) {
  std::vector<Ratings> raters = ratersOfVectors();
  const CohenAgreement before = cohenAgreement(raters[0], raters[1]);
  const FleissAgreement fleiss_before = fleissAgreement(raters);
  const std::vector<Ratings> extra = {{0, -1, -1}, {-1, 2, -1}, {1, 2, -1}};
  for (std::size_t r = 0; r < raters.size(); ++r) {
    raters[r].insert(raters[r].begin() + 17, extra[r].begin(), extra[r].end());
  }
  const CohenAgreement after = cohenAgreement(raters[0], raters[1]);
  EXPECT_EQ(after.items, before.items);
  EXPECT_EQ(after.left_out, 3);
  EXPECT_EQ(after.kappa, before.kappa);
  EXPECT_EQ(after.variance, before.variance);
  // Two items have two ratings, one has none, the others have three.
  const FleissAgreement fleiss_after = fleissAgreement(raters);
  EXPECT_EQ(fleiss_after.ratings_per_item, 3);
  EXPECT_EQ(fleiss_after.left_out, 3);
  EXPECT_EQ(fleiss_after.kappa, fleiss_before.kappa);

  // Whose ratings they are does not matter, and of equally many items those with more count.
  const FleissAgreement pairs = fleissAgreement({{0, 1, -1, 2}, {0, -1, 1, 2}, {-1, 1, 0, -1}});
  EXPECT_EQ(pairs.ratings_per_item, 2);
  EXPECT_EQ(pairs.items, 4);
  const FleissAgreement tie = fleissAgreement({{0, 1}, {0, 1}, {1, -1}});
  EXPECT_EQ(tie.ratings_per_item, 3);
  EXPECT_EQ(tie.left_out, 1);
}

TEST(Agreement, DependsOnNeitherOrderNorNamesNorWhoIsFirst) {
  std::vector<Ratings> raters = ratersOfVectors();
  const CohenAgreement before = cohenAgreement(raters[0], raters[1]);
  const FleissAgreement fleiss_before = fleissAgreement(raters);
  std::vector<std::size_t> order(raters[0].size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(5));
  const Ratings new_names = {70, 3, 1'000'000'007, 12};
  std::vector<Ratings> changed(raters.size());
  for (std::size_t r = 0; r < raters.size(); ++r) {
    for (const std::size_t i : order) {
      changed[r].push_back(new_names[static_cast<std::size_t>(raters[r][i])]);
    }
  }
  std::swap(changed[0], changed[1]);
  const CohenAgreement after = cohenAgreement(changed[0], changed[1]);
  EXPECT_TRUE(closeTo(after.kappa.value(), before.kappa.value(), 1e-14));
  EXPECT_TRUE(closeTo(after.variance.value(), before.variance.value(), 1e-13));
  EXPECT_TRUE(closeTo(fleissAgreement(changed).kappa.value(), fleiss_before.kappa.value(), 1e-14));
}

TEST(Agreement, TheVarianceIsThatOfRepeatedExperiments) {
  std::mt19937_64 random(11);
  constexpr int kExperiments = 2000;
  double sum = 0.0;
  double squares = 0.0;
  double variance = 0.0;
  for (int i = 0; i < kExperiments; ++i) {
    const auto [first, second] = randomRatings(300, 3, 0.7, random);
    const CohenAgreement agreement = cohenAgreement(first, second);
    sum += agreement.kappa.value();
    squares += agreement.kappa.value() * agreement.kappa.value();
    variance += agreement.variance.value() / kExperiments;
  }
  const double mean = sum / kExperiments;
  const double empirical = squares / kExperiments - mean * mean;
  // Its standard error is sqrt(2 / 2000) = 3 %.
  EXPECT_NEAR(variance / empirical, 1.0, 0.12);
  EXPECT_NEAR(mean, 0.49, 0.01);
}

TEST(Agreement, FleissKappaHasAnIntervalAndOneValuePerClass) {
  // Items AA, AB, BB, BB with A = 4 and B = 7.
  const FleissAgreement agreement = fleissAgreement({{4, 4, 7, 7}, {4, 7, 7, 7}});
  // Observed 3/4, expected (3/8)^2 + (5/8)^2.
  EXPECT_NEAR(agreement.kappa.value(), (0.75 - 0.53125) / 0.46875, 1e-12);
  ASSERT_EQ(agreement.by_class.size(), 2U);
  EXPECT_EQ(agreement.by_class[0].rating, 4);
  EXPECT_EQ(agreement.by_class[0].count, 3);
  // 1 - 1 / (4 * 2 * 1 * 3/8 * 5/8); with two classes, both have kappa itself.
  EXPECT_NEAR(agreement.by_class[0].kappa.value(), 1.0 - 1.0 / 1.875, 1e-12);
  EXPECT_NEAR(agreement.by_class[1].kappa.value(), agreement.kappa.value(), 1e-12);
  // Without each item: -1/5, 1, 1/3, 1/3; mean 11/30. Variance 3/4 of the sum of squares.
  const double squares = std::pow(-0.2 - 11.0 / 30.0, 2) + std::pow(1.0 - 11.0 / 30.0, 2) +
                         2.0 * std::pow(1.0 / 3.0 - 11.0 / 30.0, 2);
  const double half = 1.959963984540054 * std::sqrt(0.75 * squares);
  ASSERT_TRUE(agreement.interval95);
  EXPECT_NEAR(agreement.interval95->low, agreement.kappa.value() - half, 1e-12);
  EXPECT_NEAR(agreement.interval95->high, agreement.kappa.value() + half, 1e-12);
}

TEST(Agreement, TheIntervalOfFleissKappaIsAbsentIfAnItemDecidesAlone) {
  // Without the second item, all ratings are equal.
  const FleissAgreement agreement = fleissAgreement({{1, 1, 1}, {1, 2, 1}});
  EXPECT_TRUE(agreement.kappa);
  EXPECT_FALSE(agreement.interval95);
  const FleissAgreement same = fleissAgreement({{1, 1}, {1, 1}});
  ASSERT_EQ(same.by_class.size(), 1U);
  EXPECT_FALSE(same.by_class[0].kappa);
}

TEST(Agreement, RefusesDifferentNumbersOfItems) {
  EXPECT_THROW(static_cast<void>(cohenAgreement(Ratings{1, 2}, Ratings{1})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(fleissAgreement({{1, 2}, {1}})), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
