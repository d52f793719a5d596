// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/vector_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "core/decisions/temperature_scaling.h"
#include "core/measures/measures.h"
#include "tests/core/metrics/vector_sections.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;

VectorScaling fit(const LogitTable& table) {
  RunContext context;
  const auto result = fitVectorScaling(table, context);
  EXPECT_OK(result);
  return result.value_or(VectorScaling());
}

double plainNll(const LogitTable& table, const std::vector<double>& weight,
                const std::vector<double>& bias) {
  double sum = 0.0;
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    std::vector<double> row;
    for (std::size_t k = 0; k < weight.size(); ++k) {
      row.push_back(weight[k] * table.logits.row(static_cast<std::int64_t>(i))[k] + bias[k]);
    }
    sum -= logSoftmax(std::span<const double>(row))[static_cast<std::size_t>(table.labels[i])];
  }
  return sum / static_cast<double>(table.labels.size());
}

TEST(VectorScaling, AgreesWithTheReferenceInEveryField) {
  const json vectors = test::readVectors("decisions2");
  int compared = 0;
  for (const auto& [name, section] : vectors.at("vector_scaling").items()) {
    SCOPED_TRACE(name);
    ++compared;
    const LogitTable table = labelledLogits(test::tableOf<double>(section.at("logits")),
                                            section.at("labels").get<std::vector<std::int64_t>>());
    const VectorScaling result = fit(table);
    EXPECT_TRUE(result.converged);
    for (std::size_t k = 0; k < result.weight.size(); ++k) {
      EXPECT_TRUE(closeTo(result.weight[k], section.at("weight").at(k).get<double>(), 1e-9, 1e-10));
      EXPECT_TRUE(closeTo(result.bias[k], section.at("bias").at(k).get<double>(), 1e-9, 1e-10));
    }
    EXPECT_TRUE(closeTo(result.before.nll, section.at("nll_before").get<double>(), 1e-9));
    EXPECT_TRUE(closeTo(result.after.nll, section.at("nll_after").get<double>(), 1e-9));
    EXPECT_LE(result.gradient_max, 1e-12);
    EXPECT_NEAR(std::accumulate(result.bias.begin(), result.bias.end(), 0.0), 0.0, 1e-12);
  }
  EXPECT_EQ(compared, 2);
}

TEST(VectorScaling, IsTheBestAndBetterThanATemperature) {
  std::mt19937_64 random(12);
  std::normal_distribution<double> normal(0.0, 1.5);
  for (int round = 0; round < 10; ++round) {
    LogitTable table;
    table.logits = Array<double>::zeros({400, 4});
    for (std::int64_t i = 0; i < 400; ++i) {
      std::vector<double> truth;
      for (double& z : table.logits.mutableRow(i)) {
        z = normal(random);
        truth.push_back((0.4 + 0.2 * static_cast<double>(truth.size())) * z -
                        0.3 * static_cast<double>(truth.size()));
      }
      const auto probs = softmax(std::span<const double>(truth));
      table.labels.push_back(
          std::discrete_distribution<std::int64_t>(probs.begin(), probs.end())(random));
    }
    const VectorScaling result = fit(table);
    ASSERT_TRUE(result.converged);
    EXPECT_TRUE(closeTo(result.after.nll, plainNll(table, result.weight, result.bias), 1e-12));
    RunContext context;
    EXPECT_LT(result.after.nll, fitTemperature(table, context)->after.nll);
    for (std::size_t k = 0; k < 4; ++k) {
      for (const double change : {-1e-3, 1e-3}) {
        std::vector<double> weight = result.weight;
        weight[k] += change;
        EXPECT_GT(plainNll(table, weight, result.bias), result.after.nll);
        std::vector<double> bias = result.bias;
        bias[k] += change;
        EXPECT_GT(plainNll(table, result.weight, bias), result.after.nll);
      }
    }
  }
}

TEST(VectorScaling, KeepsTheLogitsWhereThereIsNoBestPoint) {
  const LogitTable table = labelledLogits(
      Array<double>::fromVector({3, 3}, {2.0, 0.0, -1.0, 0.0, 1.5, -2.0, -1.0, 0.5, 3.0}),
      std::vector<std::int64_t>{0, 1, 2});
  const VectorScaling result = fit(table);
  EXPECT_FALSE(result.converged);
  EXPECT_FALSE(result.determined);
  EXPECT_EQ(result.weight, (std::vector<double>{1.0, 1.0, 1.0}));
  EXPECT_EQ(result.bias, (std::vector<double>{0.0, 0.0, 0.0}));
  EXPECT_EQ(result.after.nll, result.before.nll);
  EXPECT_THAT(describe(result), HasSubstr("not fitted: 3 items do not determine it"));
}

TEST(VectorScaling, KeepsTheLogitsIfAClassDoesNotOccur) {
  // Class 2 would get a shift of minus infinity, and other items of it an infinite NLL.
  std::mt19937_64 random(8);
  std::normal_distribution<double> normal;
  LogitTable table;
  table.logits = Array<double>::zeros({200, 3});
  for (std::int64_t i = 0; i < 200; ++i) {
    for (double& z : table.logits.mutableRow(i)) {
      z = normal(random);
    }
    table.labels.push_back(i % 2);
  }
  const VectorScaling result = fit(table);
  EXPECT_FALSE(result.determined);
  EXPECT_EQ(result.bias[2], 0.0);
}

TEST(VectorScaling, RefusesWhatItCannotDo) {
  RunContext context;
  const auto nothing = fitVectorScaling(LogitTable(), context);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(nothing.error().message, HasSubstr("there is no labelled item"));
  LogitTable many;
  many.logits = Array<double>::zeros({1, kMaxScaledClasses + 1});
  many.labels = {0};
  const auto refused = fitVectorScaling(many, context);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("at most 128 classes, not 129"));
}

}  // namespace
}  // namespace dubito
