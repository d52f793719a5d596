// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/calibration_size.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "tests/support/matchers.h"

namespace dubito {
namespace {

constexpr std::int64_t kMany = 1'000'000;

SelectionOptions guarantee(double target, double delta) {
  return {.target = target, .delta = delta, .rule = "sgr"};
}

/// Whether the rule itself finds a threshold on items of these outcomes.
bool ruleFinds(const std::vector<std::uint8_t>& error, const SelectionOptions& options) {
  std::vector<double> uncertainty;
  for (std::size_t i = 0; i < error.size(); ++i) {
    uncertainty.push_back(static_cast<double>(i + 1));
  }
  RunContext context;
  const auto selection = selectThreshold(uncertainty, error, 1e9, options, context);
  EXPECT_OK(selection);
  return selection && selection->threshold.has_value();
}

TEST(CalibrationSize, WithoutErrorsIsTheOneOfTheFirstTest) {
  // The first threshold tested selects k = floor((n + 2) / 2) items and passes if
  // (delta / rounds)^(1 / k) >= target, where rounds = ceil(log2 n):
  // k >= ln(0.1 / 7) / ln(0.9) = 40.3 with the 7 rounds of 65 to 128 items, so k = 41;
  EXPECT_EQ(calibrationItemsNeeded({}, guarantee(0.9, 0.1), kMany), 80);
  // k >= ln(0.05 / 11) / ln(0.99) = 536.7 with 11 rounds. (10 rounds: 528, more than 1024 items.)
  EXPECT_EQ(calibrationItemsNeeded({}, guarantee(0.99, 0.05), kMany), 1072);
  for (const std::int64_t n : {80, 1072}) {
    const SelectionOptions options = n == 80 ? guarantee(0.9, 0.1) : guarantee(0.99, 0.05);
    EXPECT_TRUE(ruleFinds(std::vector<std::uint8_t>(static_cast<std::size_t>(n), 0), options));
    EXPECT_FALSE(ruleFinds(std::vector<std::uint8_t>(static_cast<std::size_t>(n - 1), 0), options));
  }
}

TEST(CalibrationSize, IsNeverBelowTheItemsThatAreThere) {
  const std::vector<std::uint8_t> right(300, 0);
  EXPECT_EQ(calibrationItemsNeeded(right, guarantee(0.9, 0.1), kMany), 300);
}

TEST(CalibrationSize, AgreesWithTheRuleOnEverySetOfItems) {
  std::mt19937 random(7);
  int found = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const auto n = static_cast<std::size_t>(50 + random() % 500);
    std::vector<std::uint8_t> error(n);
    for (std::size_t i = 0; i < n; ++i) {
      error[i] = random() % (4 * n) < i ? 1 : 0;  // the uncertain ones are wrong more often
    }
    const SelectionOptions options = guarantee(0.9 + 0.01 * static_cast<double>(random() % 5), 0.1);
    const bool finds = ruleFinds(error, options);
    const auto needed = calibrationItemsNeeded(error, options, static_cast<std::int64_t>(n));
    EXPECT_EQ(needed.has_value(), finds) << n;
    found += finds ? 1 : 0;
  }
  EXPECT_GT(found, 50);
  EXPECT_LT(found, 250);
}

TEST(CalibrationSize, ErrorsOnlyAmongTheUncertainCostLessThanErrorsEverywhere) {
  std::vector<std::uint8_t> last(100, 0);
  std::fill(last.end() - 10, last.end(), 1);
  std::vector<std::uint8_t> spread(100, 0);
  for (std::size_t i = 10; i < 100; i += 20) {
    spread[i] = 1;
  }
  const SelectionOptions options = guarantee(0.9, 0.1);
  const auto few = calibrationItemsNeeded(last, options, kMany);
  const auto many = calibrationItemsNeeded(spread, options, kMany);
  ASSERT_TRUE(few && many);
  EXPECT_EQ(*few, 100);  // the surer half has no error, and 51 items suffice (above: 41)
  EXPECT_GT(*many, 100);
  // The same outcomes, each repeated until there are as many, pass the rule.
  std::vector<std::uint8_t> repeated;
  const std::int64_t times = (*many + 99) / 100 + 1;
  for (const std::uint8_t one : spread) {
    repeated.insert(repeated.end(), static_cast<std::size_t>(times), one);
  }
  EXPECT_TRUE(ruleFinds(repeated, options));
}

TEST(CalibrationSize, IsAbsentForWhatCannotBeGuaranteed) {
  const std::vector<std::uint8_t> wrong(100, 1);
  EXPECT_FALSE(calibrationItemsNeeded(wrong, guarantee(0.9, 0.1), kMany));
  EXPECT_FALSE(calibrationItemsNeeded({}, guarantee(1.0, 0.1), kMany));
  EXPECT_FALSE(calibrationItemsNeeded({}, guarantee(0.9, 0.1), 79));
  EXPECT_THROW(static_cast<void>(calibrationItemsNeeded({}, guarantee(1.5, 0.1), kMany)),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
