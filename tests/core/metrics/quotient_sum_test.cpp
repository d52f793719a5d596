// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/quotient_sum.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

TEST(QuotientSum, IsThatOfItsQuotients) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 10.0);
  QuotientSum sum;
  long double plain = 0.0L;
  EXPECT_EQ(sum.value(), 0.0);
  for (int i = 0; i < 1000; ++i) {
    const double numerator = uniform(random);
    const double denominator = uniform(random) + 0.1;
    sum.add(numerator, denominator);
    plain += static_cast<long double>(numerator) / denominator;
    ASSERT_TRUE(closeTo(sum.value(), static_cast<double>(plain), 4e-16)) << i;
  }
}

TEST(QuotientSum, OfPartsIsThatOfAll) {
  for (const std::size_t first : {0U, 1U, 63U, 64U, 65U, 200U}) {
    QuotientSum all;
    QuotientSum parts[2];
    for (std::size_t i = 0; i < 300; ++i) {
      const double numerator = static_cast<double>(i % 7);
      const double denominator = static_cast<double>(i + 1);
      all.add(numerator, denominator);
      parts[i < first ? 0 : 1].add(numerator, denominator);
    }
    parts[0].add(parts[1]);
    EXPECT_TRUE(closeTo(parts[0].value(), all.value(), 4e-16)) << first;
    parts[0].add(1.0, 1.0);
    EXPECT_TRUE(closeTo(parts[0].value(), all.value() + 1.0, 4e-16)) << first;
  }
}

TEST(QuotientSum, OfManyKeepsItsDigits) {
  QuotientSum sum;
  for (int i = 0; i < 10'000'000; ++i) {
    sum.add(1.0, 10.0);
  }
  EXPECT_TRUE(closeTo(sum.value(), 1e6, 3e-16));
}

}  // namespace
}  // namespace dubito
