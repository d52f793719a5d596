// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/plot_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace dubito {
namespace {

TEST(EvenlySpaced, ReachesBothEnds) {
  EXPECT_EQ(evenlySpaced({-1.0, 2.0}, 4), (std::vector<double>{-1.0, 0.0, 1.0, 2.0}));
  EXPECT_EQ(evenlySpaced({3.0, 5.0}, 1), std::vector<double>{3.0});
  EXPECT_TRUE(evenlySpaced({3.0, 5.0}, 0).empty());
}

TEST(Histogram, EdgesBelongToTheBinOnTheirLeftAndTheFirstBinIsClosed) {
  const std::vector<double> values{0.0, 0.25, 0.26, 0.5, 1.0};
  const Histogram histogram = makeHistogram(values, {0.0, 1.0}, 4);
  EXPECT_EQ(histogram.counts, (std::vector<std::int64_t>{2, 2, 0, 1}));
  EXPECT_EQ(histogram.total, 5);
}

TEST(Histogram, CountsSumToTheTotalWithValuesOutsideAndWithoutNaN) {
  const std::vector<double> values{-3.0, 0.15, 99.0, std::nan(""), 0.85};
  const Histogram histogram = makeHistogram(values, {0.0, 1.0}, 10);
  EXPECT_EQ(histogram.total, 4);
  EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::int64_t{0}), 4);
  EXPECT_EQ(histogram.counts.front(), 1);
  EXPECT_EQ(histogram.counts.back(), 1);
  EXPECT_DOUBLE_EQ(histogram.share(0), 0.25);
}

TEST(Histogram, ContractBreaksThrow) {
  EXPECT_THROW(static_cast<void>(makeHistogram({}, {0.0, 1.0}, 0)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(makeHistogram({}, {1.0, 1.0}, 3)), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
