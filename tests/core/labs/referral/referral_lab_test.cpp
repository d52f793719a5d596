// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/referral/referral_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/metrics/ranking.h"
#include "core/metrics/referral.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

struct Analysed {
  ReferralRanking ranking;
  ReferralCosts costs;
};

Expected<Analysed> analysed(const dubito::Run& run, const ReferralOptions& options) {
  RunContext context;
  auto ranking = rankReferral(run, options, context);
  if (!ranking) {
    return failWith(ranking);
  }
  auto costs = costsOfReferral(*ranking, options);
  if (!costs) {
    return failWith(costs);
  }
  return Analysed{*std::move(ranking), *std::move(costs)};
}

std::vector<double> column(const MeasureCosts& by, double ReferralRule::*member) {
  std::vector<double> values;
  for (const ReferralRule& rule : by.rules) {
    values.push_back(rule.*member);
  }
  return values;
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
    const ReferralCosts& costs = result->costs;
    const MeasureCosts& by = costs.measures.at(0);
    ASSERT_GT(by.rules.size(), 100U);
    double lowest = costs.all;
    for (const ReferralRule& rule : by.rules) {
      const double threshold = rule.threshold.value_or(2.0);
      EXPECT_TRUE(closeTo(rule.cost, plainCost(run, options, threshold), 1e-12));
    }
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      lowest = std::min(lowest, plainCost(run, options, run.confidence.data()[i]));
    }
    EXPECT_TRUE(closeTo(by.optimum.cost, lowest, 1e-12));
    ASSERT_TRUE(by.optimum.threshold);
    EXPECT_TRUE(closeTo(plainCost(run, options, *by.optimum.threshold), lowest, 1e-12));
    EXPECT_TRUE(closeTo(costs.none, plainCost(run, options, 0.0), 1e-12));
    EXPECT_TRUE(closeTo(costs.all, plainCost(run, options, 2.0), 1e-12));
    EXPECT_EQ(by.rules.front().share, 0.0);
    EXPECT_EQ(by.rules.back().share, 1.0);
    EXPECT_FALSE(by.rules.back().threshold);
    EXPECT_TRUE(closeTo(by.rules.front().cost, costs.none, 1e-12));
    EXPECT_TRUE(closeTo(by.rules.back().cost, costs.all, 1e-12));
    EXPECT_LE(costs.oracle, by.optimum.cost);
    EXPECT_LT(by.optimum.cost, std::min(costs.none, costs.all));
  }
}

TEST(ReferralLab, CostsChangeWithoutRankingAgain) {
  const auto run = test::randomRun(500, 2, 2.0, 11, true, true);
  RunContext context;
  const auto ranking = rankReferral(run, {}, context);
  ASSERT_TRUE(ranking);
  for (const double look : {0.1, 1.0, 4.0}) {
    ReferralOptions options = twoCosts();
    options.look_cost = look;
    const auto costs = costsOfReferral(*ranking, options);
    const auto fresh = analysed(run, options);
    ASSERT_TRUE(costs && fresh);
    EXPECT_EQ(costs->oracle, fresh->costs.oracle);
    for (std::size_t i = 0; i < costs->measures.size(); ++i) {
      EXPECT_EQ(column(costs->measures[i], &ReferralRule::cost),
                column(fresh->costs.measures[i], &ReferralRule::cost));
      EXPECT_EQ(costs->measures[i].optimum.cost, fresh->costs.measures[i].optimum.cost);
    }
  }
}

/// Value at `x` of the line through the points.
double interpolated(const std::vector<double>& xs, const std::vector<double>& ys, double x) {
  const bool ascending = xs.front() < xs.back();
  for (std::size_t i = 1; i < xs.size(); ++i) {
    const bool inside = ascending ? xs[i - 1] <= x && x <= xs[i] : xs[i] <= x && x <= xs[i - 1];
    if (inside && xs[i] != xs[i - 1]) {
      return ys[i - 1] + (ys[i] - ys[i - 1]) * (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
    }
  }
  return ys.back();
}

TEST(ReferralLab, DrawnCurvesAreThoseOfAllThresholds) {
  const auto run = test::randomRun(20'000, 2, 2.0, 5, true, false);
  ReferralOptions options = twoCosts();
  options.measures = "confidence,entropy";
  const auto result = analysed(run, options);
  ASSERT_TRUE(result);
  for (std::size_t m = 0; m < 2; ++m) {
    const MeasureCosts& by = result->costs.measures.at(m);
    EXPECT_LT(by.rules.size(), 2000U);
    std::vector<double> thresholds;
    std::vector<double> costs;
    for (const ReferralRule& rule : by.rules) {
      if (rule.threshold) {
        thresholds.push_back(*rule.threshold);
        costs.push_back(rule.cost);
      }
    }
    double largest = 0.0;
    for (const ReferralCounts& counts : result->ranking.measures[m].counts) {
      if (m == 0 && !std::isnan(counts.threshold)) {
        const double plain = interpolated(thresholds, costs, counts.threshold);
        const double exact =
            (counts.referred[0] * (1.0 + 0.02 * 3.0) + counts.referred[1] * (1.0 + 0.02 * 12.0) +
             counts.wrong[0] * 3.0 + counts.wrong[1] * 12.0) /
            20'000.0;
        largest = std::max(largest, std::abs(plain - exact));
      }
    }
    // Below one pixel of a plot of costs up to 1.
    EXPECT_LT(largest, 0.002);
  }
}

TEST(ReferralLab, RefersByEveryMeasureOfTheRun) {
  const auto run = test::randomRun(200, 4, 1.0, 3, true, true);
  const auto result = analysed(run, {});
  ASSERT_TRUE(result);
  ASSERT_GE(result->costs.measures.size(), 3U);
  for (std::size_t i = 0; i < result->costs.measures.size(); ++i) {
    const MeasureCosts& by = result->costs.measures[i];
    // The thresholds run from the least certain item to the most certain one.
    const double first = by.rules.front().threshold.value();
    const double last = by.rules[by.rules.size() - 2].threshold.value();
    EXPECT_EQ(first < last, highIsCertain(by.measure)) << describe(by.measure).key;
    EXPECT_LE(by.optimum.cost, result->costs.none);
    EXPECT_LE(by.optimum.cost, result->costs.all);
    EXPECT_EQ(result->ranking.measures[i].roc.size(), ReferralOptions().roc_percents.size());
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
  const MeasureCosts& by = result->costs.measures[0];
  EXPECT_EQ(column(by, &ReferralRule::share), (std::vector<double>{0.0, 0.75, 1.0}));
  EXPECT_EQ(column(by, &ReferralRule::cost), (std::vector<double>{1.5, 0.75, 1.0}));
  EXPECT_EQ(by.optimum.referred, 3);
  EXPECT_EQ(by.optimum.errors, 0);
  EXPECT_TRUE(closeTo(*by.optimum.threshold, 0.9, 1e-6));
  EXPECT_EQ(result->costs.oracle, 0.25);
}

TEST(ReferralLab, FreeExpertsSeeEverythingAndFreeErrorsNothing) {
  const auto run = test::randomRun(100, 3, 1.0, 5, true, false);
  ReferralOptions options;
  options.measures = "confidence";
  options.look_cost = 0.0;
  options.error_cost = 1.0;
  auto result = analysed(run, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->costs.measures[0].optimum.cost, 0.0);
  EXPECT_EQ(result->costs.measures[0].optimum.errors, 0);
  options.look_cost = 1.0;
  options.error_cost = 0.0;
  result = analysed(run, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->costs.measures[0].optimum.referred, 0);
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
  const std::vector<Curve>& roc = result->ranking.measures[0].roc;
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
  EXPECT_EQ(result->ranking.items, 48);
  EXPECT_EQ(result->ranking.unlabelled, 2);
  EXPECT_TRUE(closeTo(result->costs.none, plainCost(run, options, 0.0), 1e-12));
}

TEST(ReferralLab, WhatCannotBeComputedIsASentence) {
  const auto unlabelled = test::randomRun(20, 3, 1.0, 5, false, false);
  const auto no_labels = analysed(unlabelled, {});
  ASSERT_FALSE(no_labels);
  EXPECT_NE(no_labels.error().message.find("no labelled items"), std::string::npos);
  const auto run = test::randomRun(20, 3, 1.0, 5, true, false);
  const auto three_classes = analysed(run, twoCosts());
  ASSERT_FALSE(three_classes);
  EXPECT_NE(three_classes.error().message.find("give the cost of an error alone"),
            std::string::npos);
  EXPECT_EQ(three_classes.error().remedy.settings, std::vector{setting("error_cost")});
  ReferralOptions options;
  options.false_positive_cost = 1.0;
  const Status one_cost = options.check();
  ASSERT_FALSE(one_cost);
  EXPECT_EQ(one_cost.error().message,
            "only one of the cost of a false positive and the cost of a false negative is given; "
            "give both or neither");
  EXPECT_EQ(one_cost.error().remedy.settings,
            (std::vector{setting("false_positive_cost"), setting("false_negative_cost")}));
  options = {};
  options.measures = "nonsense";
  EXPECT_FALSE(options.check());
  options.measures = "variation_ratio";
  const auto no_measure = analysed(run, options);
  ASSERT_FALSE(no_measure);
  EXPECT_NE(no_measure.error().message.find("; choose confidence"), std::string::npos);
  EXPECT_EQ(no_measure.error().remedy.settings, std::vector{setting("measures", "confidence")});
  auto broken = run;
  std::vector<double> confidence(run.confidence.values().begin(), run.confidence.values().end());
  confidence[2] = std::numeric_limits<double>::quiet_NaN();
  broken.confidence = Array<double>::fromVector(confidence);
  EXPECT_FALSE(analysed(broken, {}));
}

}  // namespace
}  // namespace dubito
