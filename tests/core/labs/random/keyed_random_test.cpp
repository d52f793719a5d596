// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/random/keyed_random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace dubito {
namespace {

constexpr std::size_t kMany = 100000;

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double varianceOf(const std::vector<double>& values) {
  const double mean = meanOf(values);
  double sum = 0.0;
  for (const double value : values) {
    sum += (value - mean) * (value - mean);
  }
  return sum / static_cast<double>(values.size());
}

TEST(KeyedRandom, UniformsFillTheOpenInterval) {
  std::vector<double> values(kMany);
  KeyedRandom(7, LabSite::kDataInputs).uniforms(0, values);
  EXPECT_GT(*std::ranges::min_element(values), 0.0);
  EXPECT_LT(*std::ranges::max_element(values), 1.0);
  // Five standard errors.
  EXPECT_NEAR(meanOf(values), 0.5, 5.0 / std::sqrt(12.0 * kMany));
  EXPECT_NEAR(varianceOf(values), 1.0 / 12.0, 5.0 / std::sqrt(180.0 * kMany));
}

TEST(KeyedRandom, NormalsHaveMeanZeroAndVarianceOne) {
  std::vector<double> values(kMany);
  KeyedRandom(7, LabSite::kDataNoise).normals(3, values);
  EXPECT_NEAR(meanOf(values), 0.0, 5.0 / std::sqrt(static_cast<double>(kMany)));
  EXPECT_NEAR(varianceOf(values), 1.0, 5.0 * std::sqrt(2.0 / kMany));
  const auto beyond =
      std::ranges::count_if(values, [](double z) { return std::abs(z) > 1.959964; });
  EXPECT_NEAR(static_cast<double>(beyond) / kMany, 0.05, 5.0 * std::sqrt(0.05 * 0.95 / kMany));
}

TEST(KeyedRandom, AnElementDoesNotDependOnHowManyAreWritten) {
  const KeyedRandom random(11, LabSite::kMomentum, 5);
  std::vector<double> few(7);
  std::vector<double> many(100);
  random.normals(2, few);
  random.normals(2, many);
  EXPECT_TRUE(std::ranges::equal(few, std::vector<double>(many.begin(), many.begin() + 7)));
}

TEST(KeyedRandom, SeedSiteStreamAndDrawEachChangeTheNumbers) {
  const double reference = KeyedRandom(1, LabSite::kMomentum, 2).uniform(3);
  EXPECT_NE(KeyedRandom(2, LabSite::kMomentum, 2).uniform(3), reference);
  EXPECT_NE(KeyedRandom(1, LabSite::kProposal, 2).uniform(3), reference);
  EXPECT_NE(KeyedRandom(1, LabSite::kMomentum, 3).uniform(3), reference);
  EXPECT_NE(KeyedRandom(1, LabSite::kMomentum, 2).uniform(4), reference);
  EXPECT_EQ(KeyedRandom(1, LabSite::kMomentum, 2).uniform(3), reference);
}

TEST(KeyedRandom, PermutationsAreCompleteAndFair) {
  std::vector<std::int64_t> counts(5 * 5);
  std::vector<std::int64_t> order(5);
  constexpr std::uint32_t kDraws = 20000;
  const KeyedRandom random(3, LabSite::kShuffle);
  for (std::uint32_t draw = 0; draw < kDraws; ++draw) {
    random.permutation(draw, order);
    std::vector<std::int64_t> sorted = order;
    std::ranges::sort(sorted);
    ASSERT_EQ(sorted, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
    for (std::size_t place = 0; place < 5; ++place) {
      ++counts[place * 5 + static_cast<std::size_t>(order[place])];
    }
  }
  for (const std::int64_t count : counts) {
    EXPECT_NEAR(static_cast<double>(count), 0.2 * kDraws, 5.0 * std::sqrt(0.16 * kDraws));
  }
}

}  // namespace
}  // namespace dubito
