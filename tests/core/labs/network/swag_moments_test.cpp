// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/swag_moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/labs/random/keyed_random.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

TEST(SwagMoments, AgreeWithTheirDefinition) {
  constexpr std::size_t kSize = 4;
  constexpr std::size_t kCount = 9;
  constexpr std::size_t kRank = 3;
  std::vector<double> iterates(kSize * kCount);
  KeyedRandom(1, LabSite::kWeightNoise).normals(0, iterates);
  SwagMoments moments(kSize, kRank);
  std::vector<std::vector<double>> deviations;
  std::vector<double> mean(kSize, 0.0);
  for (std::size_t n = 0; n < kCount; ++n) {
    moments.add(std::span(iterates).subspan(n * kSize, kSize));
    std::vector<double> deviation;
    for (std::size_t i = 0; i < kSize; ++i) {
      mean[i] = 0.0;
      for (std::size_t m = 0; m <= n; ++m) {
        mean[i] += iterates[m * kSize + i] / static_cast<double>(n + 1);
      }
      deviation.push_back(iterates[n * kSize + i] - mean[i]);
    }
    deviations.push_back(deviation);
  }
  ASSERT_EQ(moments.count(), 9);
  ASSERT_EQ(moments.normalsPerDraw(), 7);
  std::vector<double> normals(7);
  KeyedRandom(1, LabSite::kWeightNoise).normals(1, normals);
  const std::vector<double> draw = moments.draw(normals);
  for (std::size_t i = 0; i < kSize; ++i) {
    double variance = 0.0;
    for (std::size_t n = 0; n < kCount; ++n) {
      variance += (iterates[n * kSize + i] - mean[i]) * (iterates[n * kSize + i] - mean[i]) / 9.0;
    }
    EXPECT_TRUE(closeTo(moments.mean()[i], mean[i], 1e-12, 1e-14));
    EXPECT_TRUE(closeTo(moments.variance()[i], variance, 1e-12));
    double expected = mean[i] + std::sqrt(variance / 2.0) * normals[i];
    for (std::size_t k = 0; k < kRank; ++k) {
      expected +=
          deviations[kCount - kRank + k][i] * normals[kSize + k] / std::sqrt(2.0 * (kRank - 1.0));
    }
    EXPECT_TRUE(closeTo(draw[i], expected, 1e-12, 1e-14));
  }
}

}  // namespace
}  // namespace dubito
