// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "core/measures/entropy.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;
using Row = std::vector<double>;

TEST(RowMeasures, AgreeWithTheReference) {
  const nlohmann::json vectors = test::readVectors("measures");
  const auto rows = vectors.at("mean").get<std::vector<Row>>();
  ASSERT_FALSE(rows.empty());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto value = [&](const char* key) { return vectors.at(key).at(i).get<double>(); };
    EXPECT_EQ(argmax(rows[i]), vectors.at("prediction").at(i).get<std::int64_t>()) << i;
    EXPECT_TRUE(closeTo(confidenceOf(rows[i]), value("confidence"), 1e-9)) << i;
    EXPECT_TRUE(closeTo(marginOf(rows[i]), value("margin"), 1e-9, 1e-15)) << i;
    EXPECT_TRUE(closeTo(entropyOf(rows[i]), value("predictive_entropy"), 1e-9)) << i;
    const std::vector<float> narrow(rows[i].begin(), rows[i].end());
    EXPECT_TRUE(closeTo(confidenceOf(narrow), value("confidence"), 1e-5)) << i;
    EXPECT_TRUE(closeTo(marginOf(narrow), value("margin"), 1e-5, 1e-5)) << i;
    EXPECT_TRUE(closeTo(entropyOf(narrow), value("predictive_entropy"), 1e-5, 1e-5)) << i;
  }
}

TEST(RowMeasures, TiesGoToTheLowestIndexAndHaveNoMargin) {
  const Row row{0.1, 0.4, 0.4, 0.1};
  EXPECT_EQ(argmax(row), 1);
  EXPECT_EQ(marginOf(row), 0.0);
  EXPECT_EQ(marginOf(Row{1.0}), 1.0);
}

TEST(RowMeasures, TheRunnerUpMayStandAnywhere) {
  Row row{0.05, 0.15, 0.3, 0.5};
  do {
    EXPECT_DOUBLE_EQ(marginOf(row), 0.2);
    EXPECT_EQ(confidenceOf(row), 0.5);
  } while (std::next_permutation(row.begin(), row.end()));
}

TEST(RowMeasures, LogSumExpIsTheLogarithmOfTheSum) {
  EXPECT_DOUBLE_EQ(logSumExp(Row{std::log(1.0), std::log(2.0), std::log(3.0)}), std::log(6.0));
  EXPECT_DOUBLE_EQ(logSumExp(Row{1000.0, 1000.0}), 1000.0 + std::log(2.0));
  EXPECT_DOUBLE_EQ(logSumExp(Row{-1000.0, -1000.0, -1000.0}), -1000.0 + std::log(3.0));
  EXPECT_EQ(logSumExp(Row{-7.5}), -7.5);
}

TEST(RowMeasures, PermutedRowsTieExactly) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    Row logits(10);
    for (double& logit : logits) {
      logit = std::normal_distribution<double>(0.0, 3.0)(random);
    }
    Row permuted = logits;
    std::shuffle(permuted.begin(), permuted.end(), random);
    EXPECT_EQ(logSumExp(permuted), logSumExp(logits));
  }
}

TEST(RowMeasures, SoftmaxSurvivesLargeLogits) {
  const Row probs = softmax(Row{1e4, 1e4 - 1.0, -1e4});
  EXPECT_TRUE(closeTo(probs[0], 1.0 / (1.0 + std::exp(-1.0)), 1e-14));
  EXPECT_TRUE(closeTo(std::accumulate(probs.begin(), probs.end(), 0.0), 1.0, 1e-14));
  EXPECT_TRUE(closeTo(logSoftmax(Row{1e4, 0.0})[1], -1e4, 1e-14));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(softmax(Row{0.0, -infinity})[1], 0.0);
}

TEST(RowMeasures, EmptyRowsThrow) {
  const std::span<const double> none;
  EXPECT_THROW(static_cast<void>(argmax(none)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(confidenceOf(none)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(marginOf(none)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(logSumExp(none)), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
