// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "core/measures/draw_measures.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/run_scores.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// Three draws of each item of a run.
dubito::Run runWithDraws() {
  dubito::Run run = test::randomRun(200, 4, 1.5, 3, true, true);
  Array<float> samples = Array<float>::zeros({3, 200, 4});
  for (std::int64_t t = 0; t < 3; ++t) {
    const dubito::Run draw =
        test::randomRun(200, 4, 1.5, 10 + static_cast<unsigned>(t), true, true);
    for (std::int64_t i = 0; i < 800; ++i) {
      samples.mutableData()[t * 800 + i] = static_cast<float>(draw.prob(i / 4, i % 4));
    }
  }
  run.samples = samples;
  return run;
}

MeasureInfo ownMeasure(const char* key) {
  MeasureInfo info = describe(Measure::kEntropy);
  info.key = key;
  info.is_default = false;
  info.compute = [](const dubito::Run& run, const RunContext&) {
    Array<double> values = Array<double>::zeros({run.itemCount()});
    for (std::int64_t i = 0; i < values.size(); ++i) {
      values.mutableData()[i] = 0.5 * run.entropy->data()[i];
    }
    return std::optional(values);
  };
  return info;
}

TEST(Measure, KeysAreTheirOwn) {
  std::set<std::string> keys;
  for (const Measure measure : allMeasures()) {
    const MeasureInfo& info = describe(measure);
    EXPECT_TRUE(keys.insert(info.key).second) << info.key;
    EXPECT_EQ(measureOfKey(info.key), measure);
    EXPECT_EQ(std::string(info.range).find("nats") != std::string::npos,
              std::string(info.unit) == "nats")
        << info.key;
  }
  EXPECT_GE(keys.size(), kBuiltInMeasures);
  EXPECT_FALSE(measureOfKey("nothing"));
}

TEST(Measure, ValuesStayBelowTheirBounds) {
  const dubito::Run run = runWithDraws();
  int computed = 0;
  for (const Measure measure : allMeasures()) {
    const MeasureInfo& info = describe(measure);
    const auto values = info.compute(run, RunContext());
    if (!values) {
      EXPECT_EQ(info.sense, MeasureSense::kApproximationIsWorse) << info.key;
      continue;
    }
    ++computed;
    ASSERT_EQ(values->size(), 200) << info.key;
    for (const double value : values->values()) {
      EXPECT_GE(value, 0.0) << info.key;
      EXPECT_LE(value, info.upper_bound(4) * (1.0 + 1e-7)) << info.key;
    }
  }
  EXPECT_GE(computed, 7);
}

TEST(Measure, OfDrawsAreThoseOfThePlainSummary) {
  const dubito::Run run = runWithDraws();
  const PredictiveSummary summary = summariseDraws(*run.samples, RunContext());
  const auto ratio = describe(Measure::kVariationRatio).compute(run, RunContext());
  const Array<double> variance = drawVariances(*run.samples, RunContext());
  ASSERT_TRUE(ratio.has_value());
  for (std::int64_t i = 0; i < 200; ++i) {
    EXPECT_TRUE(test::closeTo(variance.data()[i], summary.variance.data()[i], 1e-12)) << i;
    EXPECT_EQ(ratio->data()[i], summary.variation_ratio.data()[i]) << i;
  }
}

TEST(Measure, InformationOfDrawsIsComputedIfItIsNotStored) {
  // A run of another program has draws, but no measures of them.
  dubito::Run run = runWithDraws();
  run.mutual_information.reset();
  run.expected_entropy.reset();
  const PredictiveSummary summary = summariseDraws(*run.samples, RunContext());
  const auto information = describe(Measure::kMutualInformation).compute(run, RunContext());
  const auto expected = describe(Measure::kExpectedEntropy).compute(run, RunContext());
  ASSERT_TRUE(information.has_value() && expected.has_value());
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    EXPECT_EQ(information->data()[i], summary.mutual_information.data()[i]) << i;
    EXPECT_EQ(expected->data()[i], summary.expected_entropy.data()[i]) << i;
  }
}

TEST(Measure, VarianceOfConfidentDrawsKeepsItsDigits) {
  // Probabilities that differ by 2^-20 about 1: the variance is the square of half of that, twice.
  const float low = 1.0F - 0x1p-20F;
  const Array<float> draws = Array<float>::fromVector({2, 1, 2}, {1.0F, 0.0F, low, 1.0F - low});
  EXPECT_DOUBLE_EQ(drawVariances(draws, RunContext()).data()[0], 2.0 * 0x1p-42);
}

TEST(Measure, ListsOfKeysAreParsed) {
  EXPECT_EQ(measuresOfKeys("entropy,margin,entropy").value(),
            (std::vector<Measure>{Measure::kEntropy, Measure::kMargin}));
  const std::vector<Measure> all = measuresOfKeys("all").value();
  EXPECT_GE(all.size(), 7U);
  for (const Measure measure : all) {
    EXPECT_NE(describe(measure).sense, MeasureSense::kApproximationIsWorse);
  }
  const auto unknown = measuresOfKeys("entropy,surprise");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("surprise"));
  EXPECT_THAT(unknown.error().message, HasSubstr("gauge_divergence"));
  EXPECT_FALSE(measuresOfKeys("entropy, margin"));
}

TEST(Measure, EvaluationsRankByThoseAskedFor) {
  const dubito::Run run = runWithDraws();
  const dubito::Run ood = test::randomRun(100, 4, 0.4, 5, false, true);
  RunContext context;
  EvaluationOptions options;
  options.scores = "all";
  const auto wide = evaluate(run, {{"far", &ood}}, options, context);
  ASSERT_OK(wide);
  const auto usual = evaluate(run, {{"far", &ood}}, {}, context);
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->misclassified.size(), 3U);
  EXPECT_EQ(wide->misclassified.size(), measuresOfKeys("all").value().size());
  EXPECT_EQ(wide->misclassified.at("entropy").aurc, usual->misclassified.at("entropy").aurc);
  EXPECT_TRUE(wide->ood[0].in_vs_ood.contains("margin"));
  EXPECT_FALSE(wide->ood[0].in_vs_ood.contains("variance"));  // the OOD run has no draws
  options.scores = "surprise";
  const auto refused = evaluate(run, {}, options, context);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("Scores: \"surprise\" is not a measure"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("scores")));
}

// Last: what is added stays.
TEST(Measure, OneOfTheProgramsOwnIsFoundEverywhere) {
  const Measure half = addMeasure(ownMeasure("half_entropy"));
  EXPECT_EQ(measureOfKey("half_entropy"), half);
  EXPECT_THROW(addMeasure(ownMeasure("half_entropy")), std::invalid_argument);
  MeasureInfo incomplete = ownMeasure("incomplete");
  incomplete.source = nullptr;
  EXPECT_THROW(addMeasure(incomplete), std::invalid_argument);

  const dubito::Run run = runWithDraws();
  RunContext context;
  EvaluationOptions options;
  options.scores = "confidence,half_entropy";
  const auto evaluation = evaluate(run, {}, options, context);
  ASSERT_OK(evaluation);
  const nlohmann::json object = toJson(*evaluation);
  EXPECT_EQ(object["misclassified"]["half_entropy"]["auroc"],
            evaluate(run, {}, {}, context)->misclassified.at("entropy").rank.auroc);
  const auto overview = makeOverview(run, {}, options, context);
  ASSERT_TRUE(overview);
  EXPECT_EQ(overview->histograms.back().measure, half);
}

}  // namespace
}  // namespace dubito
