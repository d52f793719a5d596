// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/tempered_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/decisions/temperature_scaling.h"
#include "core/io/log_rest.h"
#include "core/io/run_summary.h"
#include "core/measures/measures.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

constexpr std::int64_t kItems = 40;
constexpr std::int64_t kClasses = 5;

float madeLogit(std::int64_t i, std::int64_t k) {
  return static_cast<float>(4.0 * std::sin(12.9898 * static_cast<double>(i * kClasses + k)));
}

/// softmax of made logits; labels are right two times in three.
Run madeRun(bool with_logits) {
  Run run;
  Array<float> logits = Array<float>::zeros({kItems, kClasses});
  Array<float> probs = Array<float>::zeros({kItems, kClasses});
  run.labels = Array<std::int64_t>::zeros({kItems});
  run.ids = Array<std::int64_t>::zeros({kItems});
  for (std::int64_t i = 0; i < kItems; ++i) {
    for (std::int64_t k = 0; k < kClasses; ++k) {
      logits.mutableRow(i)[static_cast<std::size_t>(k)] = madeLogit(i, k);
    }
    const std::vector<double> row = softmax(logits.row(i));
    for (std::size_t k = 0; k < row.size(); ++k) {
      probs.mutableRow(i)[k] = static_cast<float>(row[k]);
    }
    run.ids.mutableData()[i] = 7 * i;
    run.labels.mutableData()[i] = i % 3 == 0 ? i % kClasses : argmax(std::as_const(logits).row(i));
  }
  run.probs = probs;
  if (with_logits) {
    run.logits = logits;
  }
  run.meta.method = "map";
  run.meta.dataset_name = "made";
  fillFromProbs(run, RunContext());
  return run;
}

/// The plain formula, one item at a time.
std::vector<double> slowly(const std::vector<double>& logits, double temperature) {
  double sum = 0.0;
  for (const double z : logits) {
    sum += std::exp(z / temperature);
  }
  std::vector<double> probs;
  for (const double z : logits) {
    probs.push_back(std::exp(z / temperature) / sum);
  }
  return probs;
}

TEST(TemperedRun, DividesTheLogits) {
  const dubito::Run run = madeRun(true);
  for (const double temperature : {0.1, 0.7, 2.5, 10.0}) {
    const auto tempered = temperedRun(run, temperature, RunContext());
    ASSERT_OK(tempered);
    for (std::int64_t i = 0; i < kItems; ++i) {
      std::vector<double> logits;
      for (std::int64_t k = 0; k < kClasses; ++k) {
        logits.push_back(double{madeLogit(i, k)});
      }
      const std::vector<double> expected = slowly(logits, temperature);
      double entropy = 0.0;
      for (std::int64_t k = 0; k < kClasses; ++k) {
        const double p = expected[static_cast<std::size_t>(k)];
        EXPECT_NEAR(tempered->prob(i, k), p, 1e-7);
        entropy -= p > 0.0 ? p * std::log(p) : 0.0;
      }
      EXPECT_NEAR(tempered->entropy->data()[i], entropy, 1e-12);
      EXPECT_EQ(tempered->predictions.data()[i], run.predictions.data()[i]);
      EXPECT_NEAR(tempered->confidence.data()[i], *std::ranges::max_element(expected), 1e-7);
    }
    EXPECT_TRUE(probsAreOfLogits(*tempered));
    EXPECT_EQ(tempered->meta.method, "map");
  }
}

TEST(TemperedRun, KnowsWhatIsLeftOfACertainClass) {
  dubito::Run run;
  run.labels = Array<std::int64_t>::fromVector({0});
  run.ids = Array<std::int64_t>::fromVector({0});
  run.logits = Array<double>::fromVector({1, 3}, {0.0, 1e4, 3.0});
  run.probs = Array<float>::fromVector({1, 3}, {0.0F, 1.0F, 0.0F});
  fillFromLogits(run, RunContext());
  const auto tempered = temperedRun(run, 2.0, RunContext());
  ASSERT_OK(tempered);
  // log(e^0 + e^1.5), 5 000 below the likeliest.
  EXPECT_NEAR(tempered->log_rest->data()[0], std::log1p(std::exp(1.5)) - 5000.0, 1e-9);
  EXPECT_EQ(tempered->confidence.data()[0], 1.0);
  // Of the probabilities alone two are 0.
  run.logits.reset();
  const auto clamped = temperedRun(run, 2.0, RunContext());
  ASSERT_TRUE(clamped);
  EXPECT_THAT(toText(clamped->meta.notes.back()), HasSubstr("1 of 1 items"));
}

TEST(TemperedRun, TemperatureOneIsTheRunItself) {
  const dubito::Run run = madeRun(true);
  const auto same = temperedRun(run, 1.0, RunContext());
  ASSERT_TRUE(same);
  EXPECT_EQ(std::get<Array<float>>(*same->probs).data(), std::get<Array<float>>(*run.probs).data());
  EXPECT_EQ(same->entropy->data(), run.entropy->data());
}

TEST(TemperedRun, LogarithmsOfProbabilitiesStandInForLogits) {
  const auto of_logits = temperedRun(madeRun(true), 1.7, RunContext());
  const auto of_probs = temperedRun(madeRun(false), 1.7, RunContext());
  ASSERT_TRUE(of_logits && of_probs);
  EXPECT_FALSE(of_probs->logits);
  for (std::int64_t i = 0; i < kItems; ++i) {
    for (std::int64_t k = 0; k < kClasses; ++k) {
      EXPECT_NEAR(of_probs->prob(i, k), of_logits->prob(i, k), 1e-6);
    }
  }
}

TEST(TemperedRun, LogitsOfSomethingElseAreNotTaken) {
  dubito::Run run = madeRun(true);
  Array<float> other = Array<float>::zeros({kItems, kClasses});
  run.logits = other;
  EXPECT_FALSE(probsAreOfLogits(run));
  const auto tempered = temperedRun(run, 2.0, RunContext());
  const auto expected = temperedRun(madeRun(false), 2.0, RunContext());
  ASSERT_TRUE(tempered && expected);
  EXPECT_EQ(tempered->prob(3, 1), expected->prob(3, 1));
  const auto table = temperedLogits(run, "made");
  ASSERT_TRUE(table);
  EXPECT_NEAR(table->logits.row(3)[1], std::log(run.prob(3, 1)), 1e-12);
  EXPECT_FALSE(table->notes.empty());
}

TEST(TemperedRun, RefusesWhatIsNoTemperature) {
  const dubito::Run run = madeRun(true);
  for (const double temperature : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    const auto tempered = temperedRun(run, temperature, RunContext());
    ASSERT_FALSE(tempered);
    EXPECT_EQ(tempered.error().code, ErrorCode::kInvalidArgument);
  }
  dubito::Run confidences = run;
  confidences.probs.reset();
  EXPECT_FALSE(temperedRun(confidences, 2.0, RunContext()));
}

TEST(TemperatureLandscape, HasItsLowestPointAtTheFit) {
  RunContext context;
  const auto table = temperedLogits(madeRun(true), "made");
  ASSERT_TRUE(table);
  const auto fit = fitTemperature(*table, context);
  ASSERT_TRUE(fit);
  const auto landscape = temperatureLandscape(*table, 0.1, 10.0, 41, context);
  ASSERT_TRUE(landscape);
  ASSERT_EQ(landscape->nll.size(), 41U);
  EXPECT_DOUBLE_EQ(landscape->log10_temperature.front(), -1.0);
  EXPECT_DOUBLE_EQ(landscape->log10_temperature.back(), 1.0);
  EXPECT_NEAR(landscape->nll[20], fit->before.nll, 1e-12);
  EXPECT_NEAR(landscape->ece[20], fit->before.ece, 1e-12);
  const auto lowest = std::ranges::min_element(landscape->nll) - landscape->nll.begin();
  EXPECT_LE(std::abs(landscape->log10_temperature[static_cast<std::size_t>(lowest)] -
                     std::log10(fit->temperature)),
            0.05);
  EXPECT_LE(fit->after.nll, landscape->nll[static_cast<std::size_t>(lowest)]);
}

}  // namespace
}  // namespace dubito
