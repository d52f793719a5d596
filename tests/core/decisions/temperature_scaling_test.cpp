// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/temperature_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/measures/measures.h"
#include "tests/core/metrics/vector_sections.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;

LogitTable tableOf(const json& section) {
  return labelledLogits(test::tableOf<double>(section.at("logits")),
                        section.at("labels").get<std::vector<std::int64_t>>());
}

TemperatureFit fit(const LogitTable& table) {
  RunContext context;
  const auto result = fitTemperature(table, context);
  EXPECT_OK(result);
  return result.value_or(TemperatureFit());
}

/// The mean negative log likelihood of softmax(z / T), item by item.
double plainNll(const LogitTable& table, double temperature) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < table.logits.extent(0); ++i) {
    double total = 0.0;
    const auto row = table.logits.row(i);
    const double label = row[static_cast<std::size_t>(table.labels[static_cast<std::size_t>(i)])];
    for (const double z : row) {
      total += std::exp((z - label) / temperature);
    }
    sum += std::log(total);
  }
  return sum / static_cast<double>(table.labels.size());
}

LogitTable randomTable(std::int64_t items, std::int64_t classes, double scale, double truth,
                       unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, 1.0);
  LogitTable table;
  table.logits = Array<double>::zeros({items, classes});
  for (std::int64_t i = 0; i < items; ++i) {
    std::vector<double> true_logits;
    for (double& z : table.logits.mutableRow(i)) {
      z = scale * normal(random);
      true_logits.push_back(z / truth);
    }
    const std::vector<double> probs = softmax(std::span<const double>(true_logits));
    std::discrete_distribution<std::int64_t> label(probs.begin(), probs.end());
    table.labels.push_back(label(random));
  }
  return table;
}

TEST(Temperature, AgreesWithTheReferenceInEveryField) {
  const json vectors = test::readVectors("decisions2");
  int compared = 0;
  for (const auto& [name, section] : vectors.at("temperature").items()) {
    SCOPED_TRACE(name);
    ++compared;
    const TemperatureFit result = fit(tableOf(section));
    if (section.at("temperature").is_null()) {
      const bool to_zero = section.at("limit") == "0+";
      EXPECT_EQ(result.limit,
                to_zero ? TemperatureLimit::kUndetermined : TemperatureLimit::kLargest);
      EXPECT_EQ(result.temperature, to_zero ? 1.0 : kLargestTemperature);
      EXPECT_THAT(describe(result), HasSubstr(to_zero ? "not fitted" : "clamped"));
      continue;
    }
    EXPECT_EQ(result.limit, TemperatureLimit::kInside);
    EXPECT_TRUE(closeTo(result.temperature, section.at("temperature").get<double>(), 1e-9));
    EXPECT_TRUE(closeTo(result.before.nll, section.at("nll_before").get<double>(), 1e-9));
    EXPECT_TRUE(closeTo(result.after.nll, section.at("nll_after").get<double>(), 1e-9));
    EXPECT_TRUE(closeTo(result.curvature,
                        section.at("second_derivative_in_inverse_temperature").get<double>(),
                        1e-9));
    EXPECT_EQ(result.items, static_cast<std::int64_t>(section.at("labels").size()));
  }
  EXPECT_EQ(compared, 5);
}

TEST(Temperature, AgreesWithTheReferenceOnTheFirstItemsOfTheEvaluationVectors) {
  const json expected = test::readVectors("decisions").at("temperature");
  const json evaluation = test::readVectors("evaluation");
  const auto items = expected.at("first").get<std::int64_t>();
  auto labels = evaluation.at("labels").get<std::vector<std::int64_t>>();
  labels.resize(static_cast<std::size_t>(items));
  const Array<double> logits = test::tableOf<double>(evaluation.at("logits")).slice(0, items);
  EXPECT_TRUE(closeTo(fit(labelledLogits(logits, labels)).temperature,
                      expected.at("value").get<double>(), 1e-9));
}

TEST(Temperature, IsTheBestOfAllTemperatures) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const double truth = std::exp(0.15 * static_cast<double>(seed) - 1.0);
    const LogitTable table =
        randomTable(400, 2 + static_cast<std::int64_t>(seed) % 7, 2.0, truth, seed);
    const TemperatureFit result = fit(table);
    ASSERT_EQ(result.limit, TemperatureLimit::kInside);
    EXPECT_TRUE(closeTo(result.after.nll, plainNll(table, result.temperature), 1e-12));
    EXPECT_TRUE(closeTo(result.before.nll, plainNll(table, 1.0), 1e-12));
    for (const double factor : {0.5, 0.99, 0.9999, 1.0001, 1.01, 2.0}) {
      EXPECT_GT(plainNll(table, result.temperature * factor), result.after.nll) << factor;
    }
  }
}

/// `items` items of two classes that are right with a logit margin of 8, of which the first `close`
/// are wrong by a margin of 0.02.
LogitTable almostPerfect(std::int64_t items, std::int64_t close) {
  LogitTable table;
  table.logits = Array<double>::zeros({items, 2});
  for (std::int64_t i = 0; i < items; ++i) {
    table.logits.mutableRow(i)[1] = i < close ? -0.02 : 8.0;
    table.labels.push_back(1);
  }
  return table;
}

TEST(Temperature, ItemsOfAnAlmostPerfectNetworkDetermineNone) {
  for (const std::int64_t close : {0, 1}) {
    SCOPED_TRACE(close);
    const TemperatureFit result = fit(almostPerfect(160, close));
    EXPECT_EQ(result.limit, TemperatureLimit::kUndetermined);
    EXPECT_FALSE(isDetermined(result));
    EXPECT_EQ(result.temperature, 1.0);
    EXPECT_EQ(result.after.nll, result.before.nll);
    EXPECT_THAT(describe(result), HasSubstr("not fitted: 160 items do not determine it"));
    // One wrong item of a test set, as confident as the others, would cost 8 / T nats.
    EXPECT_LT(8.0 / result.temperature, 10.0);
  }
  // Twenty such items determine one.
  const TemperatureFit result = fit(almostPerfect(160, 20));
  EXPECT_EQ(result.limit, TemperatureLimit::kInside);
  EXPECT_NE(result.temperature, 1.0);
}

TEST(Temperature, AFewWrongItemsDetermineASmallOne) {
  // True temperature 0.3: many items lie near their border, so it is known well.
  const TemperatureFit result = fit(randomTable(200, 5, 1.0, 0.3, 3));
  EXPECT_EQ(result.limit, TemperatureLimit::kInside);
  EXPECT_NEAR(std::log(result.temperature / 0.3), 0.0, 0.3);
}

TEST(Temperature, TinyLogitsEndAtTheSmallestTemperature) {
  LogitTable table = randomTable(300, 4, 2.0, 1.0, 9);
  for (double& z : table.logits.mutableValues()) {
    z *= 1e-5;
  }
  const TemperatureFit result = fit(table);
  EXPECT_EQ(result.limit, TemperatureLimit::kSmallest);
  EXPECT_EQ(result.temperature, kSmallestTemperature);
  EXPECT_THAT(describe(result), HasSubstr("clamped"));
}

TEST(Temperature, ScalesWithTheLogitsAndIgnoresShiftsOfRows) {
  LogitTable table = randomTable(300, 5, 3.0, 1.7, 4);
  const double temperature = fit(table).temperature;
  LogitTable scaled = table;
  scaled.logits = Array<double>::zeros(table.logits.shape());
  for (std::int64_t i = 0; i < table.logits.extent(0); ++i) {
    for (std::size_t k = 0; k < 5; ++k) {
      scaled.logits.mutableRow(i)[k] =
          8.0 * table.logits.row(i)[k] + 100.0 * static_cast<double>(i);
    }
  }
  EXPECT_TRUE(closeTo(fit(scaled).temperature, 8.0 * temperature, 1e-9));
}

TEST(Temperature, SurvivesLogitsOfAThousand) {
  LogitTable table = randomTable(300, 4, 2.0, 1.0, 9);
  for (double& z : table.logits.mutableValues()) {
    z *= 700.0;
  }
  const TemperatureFit result = fit(table);
  EXPECT_EQ(result.limit, TemperatureLimit::kInside);
  EXPECT_NEAR(result.temperature / 700.0, 1.0, 0.2);
  EXPECT_TRUE(std::isfinite(result.before.nll));
}

TEST(Temperature, DoesNotDependOnTheNumberOfThreads) {
  const LogitTable table = randomTable(5000, 6, 2.0, 1.4, 2);
  RunContext one;
  RunContext three;
  three.threads = 3;
  const auto a = fitTemperature(table, one);
  const auto b = fitTemperature(table, three);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->temperature, b->temperature);
  EXPECT_EQ(a->after.nll, b->after.nll);
  EXPECT_EQ(a->after.ece, b->after.ece);
}

TEST(Temperature, EqualLogitsLeaveItAtOne) {
  LogitTable table;
  table.logits = Array<double>::zeros({3, 4});
  table.labels = {0, 3, 1};
  const TemperatureFit result = fit(table);
  EXPECT_EQ(result.temperature, 1.0);
  EXPECT_TRUE(closeTo(result.after.nll, std::log(4.0), 1e-15));
}

TEST(Temperature, TakesLogarithmsWhereARunHoldsNoLogits) {
  const LogitTable table = randomTable(200, 3, 2.0, 1.5, 7);
  dubito::Run run;
  Array<double> probs = Array<double>::zeros(table.logits.shape());
  for (std::int64_t i = 0; i < 200; ++i) {
    const std::vector<double> row = softmax(table.logits.row(i));
    std::ranges::copy(row, probs.mutableRow(i).begin());
  }
  run.probs = probs;
  std::vector<std::int64_t> labels = table.labels;
  labels[17] = -1;
  run.labels = Array<std::int64_t>::fromVector(labels);
  run.ids = run.labels;
  const auto of_run = logitsOfRun(run, "run.npz");
  ASSERT_OK(of_run);
  ASSERT_EQ(of_run->labels.size(), 199U);
  EXPECT_EQ(of_run->notes.size(), 2U);
  EXPECT_THAT(of_run->notes[0], HasSubstr("logarithms"));
  EXPECT_THAT(of_run->notes[1], HasSubstr("1 items"));
  const LogitTable without = labelledLogits(table.logits, labels);
  EXPECT_TRUE(closeTo(fit(*of_run).temperature, fit(without).temperature, 1e-9));
}

TEST(Temperature, AProbabilityOfZeroStaysFinite) {
  dubito::Run run;
  run.probs = Array<float>::fromVector({3, 2}, {1.0F, 0.0F, 1.0F, 0.0F, 0.25F, 0.75F});
  run.labels = Array<std::int64_t>::fromVector({0, 1, 1});
  run.ids = Array<std::int64_t>::fromVector({0, 1, 2});
  const auto table = logitsOfRun(run, "run.npz");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->logits.row(0)[1], std::log(double{std::numeric_limits<float>::min()}));
  EXPECT_GT(fit(*table).temperature, 1.0);
}

TEST(Temperature, RefusesRunsWithoutLabelsOrProbabilities) {
  dubito::Run run;
  run.labels = Array<std::int64_t>::fromVector({-1, -1});
  run.ids = Array<std::int64_t>::fromVector({0, 1});
  auto table = logitsOfRun(run, "a.csv");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(table.error().message,
            "a.csv: has confidences but no probabilities; give a run with the probabilities of "
            "all classes");
  run.probs = Array<float>::fromVector({2, 2}, {0.5F, 0.5F, 0.25F, 0.75F});
  table = logitsOfRun(run, "a.csv");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(table.error().message, "a.csv: none of its 2 items has a label; give labelled items");
  run.labels = Array<std::int64_t>::fromVector({0, 1});
  run.logits =
      Array<float>::fromVector({2, 2}, {0.0F, std::numeric_limits<float>::infinity(), 0, 0});
  table = logitsOfRun(run, "a.npz");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::kMalformed);
  EXPECT_EQ(table.error().message, "a.npz: a logit is NaN or infinite; recompute the run");
  RunContext context;
  const auto nothing = fitTemperature(LogitTable(), context);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(
      nothing.error().message,
      "there is no labelled item to fit a temperature on; give a calibration set with labels");
}

TEST(Temperature, CanBeCancelled) {
  RunContext context;
  context.control()->requestCancel();
  const auto result = fitTemperature(randomTable(50, 3, 1.0, 2.0, 1), context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
