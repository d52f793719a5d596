// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/uci_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

std::vector<UciResult> results(const std::string& set, const std::string& method,
                               const std::vector<double>& errors,
                               const std::vector<double>& likelihoods) {
  std::vector<UciResult> all;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    UciResult result;
    result.set = set;
    result.method = method;
    result.split = static_cast<std::int64_t>(i);
    result.test = {errors[i], likelihoods[i]};
    all.push_back(result);
  }
  return all;
}

TEST(UciTable, GivesMeanAndStandardErrorOverTheSplits) {
  const auto table = uciTable(results("wine", "laplace", {1.0, 2.0, 6.0}, {-1.0, -1.0, -4.0}));
  ASSERT_EQ(table.size(), 1U);
  ASSERT_EQ(table[0].rows.size(), 1U);
  const UciRow& row = table[0].rows[0];
  EXPECT_EQ(row.splits, 3);
  EXPECT_EQ(row.rmse.mean, 3.0);
  // Sample standard deviation sqrt(7), divided by sqrt(3).
  EXPECT_TRUE(closeTo(row.rmse.standard_error, std::sqrt(7.0 / 3.0), 1e-14));
  EXPECT_EQ(row.log_likelihood.mean, -2.0);
  EXPECT_EQ(row.log_likelihood.standard_error, 1.0);
}

TEST(UciTable, OneSplitHasNoStandardError) {
  const auto table = uciTable(results("wine", "laplace", {1.25}, {-1.0}));
  EXPECT_TRUE(std::isnan(table[0].rows[0].rmse.standard_error));
  EXPECT_EQ(textWithError(table[0].rows[0].rmse), "1.2500");
  EXPECT_TRUE(uciTableToJson(table)["sets"][0]["methods"][0]["rmse_standard_error"].is_null());
}

TEST(UciTable, ComparesInStandardErrorsOfBothBeyondRounding) {
  // Published for yacht: RMSE 1.11 +- 0.09, log-likelihood -1.55 +- 0.03, two digits.
  const auto table = uciTable(results("yacht", "mc-dropout-10x", {1.5, 1.7, 1.5, 1.7, 1.6},
                                      {-1.554, -1.546, -1.553, -1.547, -1.553}));
  const UciRow& row = table[0].rows[0];
  ASSERT_EQ(row.comparisons.size(), 1U);
  EXPECT_STREQ(row.comparisons[0].column->key, "dropout-2016");
  const double error = std::hypot(std::sqrt(0.01 / 5.0), 0.09);
  EXPECT_TRUE(closeTo(row.comparisons[0].rmse, (1.6 - 1.11 - 0.005) / error, 1e-12));
  EXPECT_EQ(row.comparisons[0].log_likelihood, 0.0) << "hidden by rounding";
  EXPECT_TRUE(isMarked(row.comparisons[0]));
  const nlohmann::json object = uciTableToJson(table);
  EXPECT_EQ(object["sets"][0]["methods"][0]["comparisons"][0]["marked"], true);
}

TEST(UciTable, FewSplitsAreNotCompared) {
  const auto table =
      uciTable(results("yacht", "mc-dropout-10x", {9.0, 9.1, 9.0, 9.1}, {-1, -2, -1, -2}));
  EXPECT_TRUE(table[0].rows[0].comparisons.empty());
}

TEST(UciTable, KeepsTheOrderOfSetsAndMethods) {
  std::vector<UciResult> all = results("yacht", "laplace", {1.0}, {-1.0});
  for (const UciResult& more : results("yacht", "mc-dropout-1x", {1.0}, {-1.0})) {
    all.push_back(more);
  }
  for (const UciResult& more : results("boston", "bbb", {1.0}, {-1.0})) {
    all.push_back(more);
  }
  const auto table = uciTable(all);
  ASSERT_EQ(table.size(), 2U);
  EXPECT_STREQ(table[0].set->key, "boston");
  EXPECT_STREQ(table[1].rows[0].method->key, "mc-dropout-1x");
  EXPECT_STREQ(table[1].rows[1].method->key, "laplace");
}

TEST(UciTable, EveryComparableColumnExistsAndCoversAllSets) {
  for (const UciMethodInfo& method : uciMethods()) {
    for (const char* const key : method.comparable) {
      ASSERT_NE(findUciPublished(key), nullptr) << key;
    }
  }
  for (const UciPublishedColumn& column : uciPublished()) {
    for (const UciSetInfo& set : uciSets()) {
      EXPECT_NE(column.of(set.key), nullptr) << column.key << set.key;
    }
  }
}

TEST(UciTable, TheErrorDecidesTheDigits) {
  EXPECT_EQ(textWithError({2.9036, 0.1768}), "2.90 ± 0.18");
  EXPECT_EQ(textWithError({0.000743, 0.000046}), "0.000743 ± 0.000046");
  EXPECT_EQ(textWithError({-2.40, 12.3}), "-2.40 ± 12.30");
  EXPECT_EQ(textWithError({0.1, 0.0}), "0.10 ± 0.00");
  EXPECT_EQ(textWithError({1.66, 0.04}, 2), "1.66 ± 0.04");
  EXPECT_EQ(textWithError({10.0, 0.0}, 0), "10 ± 0");
  EXPECT_EQ(findUciPublished("dropout-2016")->rounding(), 0.005);
}

}  // namespace
}  // namespace dubito
