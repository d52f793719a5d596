// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/referral/referral_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/metrics/ranking.h"
#include "core/metrics/referral.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

Expected<ReferralResult> analysed(const dubito::Run& run, const ReferralOptions& options) {
  RunContext context;
  return analyseReferral(run, options, context);
}

ReferralOptions twoCosts() {
  ReferralOptions options;
  options.false_positive_cost = 3.0;
  options.false_negative_cost = 12.0;
  options.expert_error_rate = 0.02;
  return options;
}

/// Mean cost of the rule "refer items with confidence below `threshold`", item by item.
double plainCost(const dubito::Run& run, const ReferralOptions& options, double threshold) {
  double sum = 0.0;
  double labelled = 0.0;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const std::int64_t label = run.labels.data()[i];
    if (label < 0) {
      continue;
    }
    labelled += 1.0;
    double error = options.error_cost;
    if (options.false_positive_cost) {
      error = label == options.positive_class ? *options.false_negative_cost
                                              : *options.false_positive_cost;
    }
    if (run.confidence.data()[i] < threshold) {
      sum += options.look_cost + options.expert_error_rate * error;
    } else if (run.predictions.data()[i] != label) {
      sum += error;
    }
  }
  return sum / labelled;
}

TEST(ReferralLab, CostsEqualAPlainVersionForEveryThreshold) {
  for (const std::int64_t classes : {2, 5}) {
    const auto run = test::randomRun(300, classes, 3.0, 7, true, true);
    ReferralOptions options = classes == 2 ? twoCosts() : ReferralOptions();
    options.measures = "confidence";
    const auto result = analysed(run, options);
    ASSERT_TRUE(result);
    const ReferralByMeasure& by = result->measures.at(0);
    ASSERT_GT(by.cost_by_threshold.x.size(), 100U);
    double lowest = result->cost_of_all;
    for (std::size_t i = 0; i < by.cost_by_threshold.x.size(); ++i) {
      const double plain = plainCost(run, options, by.cost_by_threshold.x[i]);
      EXPECT_TRUE(closeTo(by.cost_by_threshold.y[i], plain, 1e-12));
    }
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      lowest = std::min(lowest, plainCost(run, options, run.confidence.data()[i]));
    }
    EXPECT_TRUE(closeTo(by.optimum.cost, lowest, 1e-12));
    ASSERT_TRUE(by.optimum.threshold);
    EXPECT_TRUE(closeTo(plainCost(run, options, *by.optimum.threshold), lowest, 1e-12));
    EXPECT_TRUE(closeTo(result->cost_of_none, plainCost(run, options, 0.0), 1e-12));
    EXPECT_TRUE(closeTo(result->cost_of_all, plainCost(run, options, 2.0), 1e-12));
    EXPECT_EQ(by.cost_by_share.x.front(), 0.0);
    EXPECT_EQ(by.cost_by_share.x.back(), 1.0);
    EXPECT_TRUE(closeTo(by.cost_by_share.y.front(), result->cost_of_none, 1e-12));
    EXPECT_TRUE(closeTo(by.cost_by_share.y.back(), result->cost_of_all, 1e-12));
    EXPECT_LE(result->cost_of_oracle, by.optimum.cost);
    EXPECT_LT(by.optimum.cost, std::min(result->cost_of_none, result->cost_of_all));
  }
}

TEST(ReferralLab, RefersByEveryMeasureOfTheRun) {
  const auto run = test::randomRun(200, 4, 1.0, 3, true, true);
  const auto result = analysed(run, {});
  ASSERT_TRUE(result);
  ASSERT_GE(result->measures.size(), 3U);
  for (const ReferralByMeasure& by : result->measures) {
    // The thresholds run from the least certain item to the most certain one.
    const std::vector<double>& x = by.cost_by_threshold.x;
    EXPECT_EQ(x.front() < x.back(), highIsCertain(by.measure)) << describe(by.measure).key;
    EXPECT_LE(by.optimum.cost, result->cost_of_none);
    EXPECT_LE(by.optimum.cost, result->cost_of_all);
    EXPECT_EQ(by.roc.size(), ReferralOptions().roc_percents.size());
  }
}

TEST(ReferralLab, TiesAreReferredTogether) {
  // Confidences 0.9, 0.6, 0.6, 0.6: no rule refers one or two of the three.
  const auto run = test::runOf(
      Array<float>::fromVector({4, 2}, {0.9F, 0.1F, 0.6F, 0.4F, 0.4F, 0.6F, 0.6F, 0.4F}),
      {0, 1, 1, 0}, "ties");
  ReferralOptions options;
  options.measures = "confidence";
  options.look_cost = 1.0;
  options.error_cost = 6.0;
  const auto result = analysed(run, options);
  ASSERT_TRUE(result);
  const ReferralByMeasure& by = result->measures[0];
  EXPECT_EQ(by.cost_by_share.x, (std::vector<double>{0.0, 0.75, 1.0}));
  EXPECT_EQ(by.cost_by_share.y, (std::vector<double>{1.5, 0.75, 1.0}));
  EXPECT_EQ(by.optimum.referred, 3);
  EXPECT_EQ(by.optimum.errors, 0);
  EXPECT_TRUE(closeTo(*by.optimum.threshold, 0.9, 1e-6));
  EXPECT_EQ(result->cost_of_oracle, 0.25);
}

TEST(ReferralLab, FreeExpertsSeeEverythingAndFreeErrorsNothing) {
  const auto run = test::randomRun(100, 3, 1.0, 5, true, false);
  ReferralOptions options;
  options.measures = "confidence";
  options.look_cost = 0.0;
  options.error_cost = 1.0;
  auto result = analysed(run, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->measures[0].optimum.cost, 0.0);
  EXPECT_EQ(result->measures[0].optimum.errors, 0);
  options.look_cost = 1.0;
  options.error_cost = 0.0;
  result = analysed(run, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->measures[0].optimum.referred, 0);
}

TEST(ReferralLab, RocCurvesAreThoseOfTheRetainedItems) {
  const auto run = test::randomRun(400, 2, 1.0, 9, true, false);
  ReferralOptions options;
  options.measures = "confidence";
  options.roc_percents = {0, 50};
  const auto result = analysed(run, options);
  ASSERT_TRUE(result);
  // The 200 most confident items, of those all have different confidences.
  std::vector<std::int64_t> order(400);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::ranges::sort(order, [&](std::int64_t a, std::int64_t b) {
    return run.confidence.data()[a] > run.confidence.data()[b];
  });
  std::vector<double> scores;
  std::vector<std::uint8_t> positive;
  for (std::size_t i = 0; i < 200; ++i) {
    scores.push_back(run.prob(order[i], 1));
    positive.push_back(run.labels.data()[order[i]] == 1);
  }
  const std::vector<Curve>& roc = result->measures[0].roc;
  EXPECT_TRUE(closeTo(roc[1].summary, areaUnderRoc(thresholdTable(scores, positive)), 1e-9));
  EXPECT_GT(roc[1].summary, roc[0].summary);
  EXPECT_EQ(roc[1].name, "50 % referred");
}

TEST(ReferralLab, UnlabelledItemsAreLeftOut) {
  auto run = test::randomRun(50, 3, 1.0, 5, true, false);
  std::vector<std::int64_t> labels(run.labels.values().begin(), run.labels.values().end());
  labels[3] = labels[10] = -1;
  run.labels = Array<std::int64_t>::fromVector(labels);
  ReferralOptions options;
  options.measures = "confidence";
  const auto result = analysed(run, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->items, 48);
  EXPECT_EQ(result->unlabelled, 2);
  EXPECT_TRUE(closeTo(result->cost_of_none, plainCost(run, options, 0.0), 1e-12));
}

TEST(ReferralLab, WhatCannotBeComputedIsASentence) {
  const auto unlabelled = test::randomRun(20, 3, 1.0, 5, false, false);
  const auto no_labels = analysed(unlabelled, {});
  ASSERT_FALSE(no_labels);
  EXPECT_NE(no_labels.error().message.find("no labelled items"), std::string::npos);
  const auto run = test::randomRun(20, 3, 1.0, 5, true, false);
  EXPECT_FALSE(analysed(run, twoCosts()));
  ReferralOptions options;
  options.false_positive_cost = 1.0;
  EXPECT_FALSE(options.check());
  options = {};
  options.measures = "nonsense";
  EXPECT_FALSE(options.check());
  options.measures = "variation_ratio";
  EXPECT_FALSE(analysed(run, options));
  auto broken = run;
  std::vector<double> confidence(run.confidence.values().begin(), run.confidence.values().end());
  confidence[2] = std::numeric_limits<double>::quiet_NaN();
  broken.confidence = Array<double>::fromVector(confidence);
  EXPECT_FALSE(analysed(broken, {}));
}

}  // namespace
}  // namespace dubito
