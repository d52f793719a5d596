// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/labelling.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "core/review/autolabel.h"
#include "core/study/shift_weights.h"
#include "core/train/head/softmax_regression.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

const LabellingResult& resultOf(const std::vector<LabellingResult>& results, LabellingRule rule,
                                double guaranteed) {
  return *std::ranges::find_if(results, [&](const LabellingResult& result) {
    return result.rule == rule && result.guaranteed == guaranteed;
  });
}

TEST(Labelling, ThresholdsAreThoseOfAutolabel) {
  const dubito::Run target = test::randomRun(800, 4, 6.0, 1, true, false);
  const dubito::Run validation = test::randomRun(900, 4, 6.0, 2, true, false);
  const dubito::Run adaptation = test::randomRun(900, 4, 6.0, 3, true, false);
  LabellingOptions options;
  options.targets = {0.85, 0.9};
  options.measure = "entropy";
  RunContext context;
  const auto results = labelTarget(
      {.target = target, .validation = validation, .adaptation = adaptation}, options, context);
  ASSERT_OK(results);
  EXPECT_EQ(results->size(), 8U);
  for (const double guaranteed : options.targets) {
    for (const auto& [rule, calibration] :
         {std::pair(LabellingRule::kSource, &validation), {LabellingRule::kTarget, &adaptation}}) {
      AutolabelOptions same;
      same.selection = {.target = guaranteed, .delta = 0.1, .rule = "sgr"};
      const auto expected = autolabel(target, *calibration, {}, same, context);
      ASSERT_OK(expected);
      std::int64_t right = 0;
      for (const std::int64_t row : expected->rows) {
        right += target.predictions.data()[row] == target.labels.data()[row] ? 1 : 0;
      }
      const LabellingResult& result = resultOf(*results, rule, guaranteed);
      EXPECT_EQ(result.accepted, expected->labelled());
      EXPECT_EQ(result.right, right);
      EXPECT_EQ(result.items, 800);
      EXPECT_GT(result.accepted, 100);
    }
  }
}

TEST(Labelling, ConformalRulesAcceptSetsOfOneClass) {
  // Slow and plain: the k-th smallest score, and the classes below it.
  const dubito::Run target = test::randomRun(400, 3, 5.0, 1, true, false);
  const dubito::Run validation = test::randomRun(500, 3, 5.0, 2, true, false);
  LabellingOptions options;
  options.targets = {0.9};
  RunContext context;
  const auto results = labelTarget(
      {.target = target, .validation = validation, .adaptation = validation}, options, context);
  ASSERT_OK(results);
  std::vector<double> scores;
  for (std::int64_t i = 0; i < 500; ++i) {
    scores.push_back(1.0 - validation.prob(i, validation.labels.data()[i]));
  }
  std::ranges::sort(scores);
  const double threshold = scores[451 - 1];  // ceil(501 * 0.9)
  std::int64_t accepted = 0;
  for (std::int64_t i = 0; i < 400; ++i) {
    int classes = 0;
    for (std::int64_t k = 0; k < 3; ++k) {
      classes += 1.0 - target.prob(i, k) <= threshold ? 1 : 0;
    }
    accepted += classes == 1 ? 1 : 0;
  }
  EXPECT_EQ(resultOf(*results, LabellingRule::kConformal, 0.9).accepted, accepted);
  // Without a shift, weights are near 1, and nearly all items count.
  const LabellingResult& weighted = resultOf(*results, LabellingRule::kWeightedConformal, 0.9);
  EXPECT_NEAR(static_cast<double>(weighted.accepted), static_cast<double>(accepted), 30.0);
  EXPECT_GT(weighted.effective_items, 400.0);
}

/// Two kinds of items: confident ones (0.95, of which 99 % are right) and somewhat less confident
/// ones (0.85), of which only half are right. `confident` is the share of the former.
dubito::Run mixtureRun(std::int64_t items, double confident, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  std::vector<std::int64_t> labels;
  std::vector<float> values;
  for (std::int64_t i = 0; i < items; ++i) {
    const bool is_confident = uniform(random) < confident;
    const float top = is_confident ? 0.95F : 0.85F;
    values.push_back(top);
    values.push_back(1.0F - top);
    labels.push_back(uniform(random) < (is_confident ? 0.99 : 0.5) ? 0 : 1);
  }
  return test::runOf(Array<float>::fromVector({items, 2}, values), labels, "mixture");
}

double confidentShare(const dubito::Run& run) {
  double count = 0.0;
  for (const double confidence : run.confidence.values()) {
    count += confidence > 0.9 ? 1.0 : 0.0;
  }
  return count / static_cast<double>(run.itemCount());
}

TEST(ShiftWeights, AreTheRatioOfTheShares) {
  RunContext context;
  const dubito::Run source = mixtureRun(4000, 0.8, 1);
  const dubito::Run target = mixtureRun(2000, 0.4, 2);
  const auto weights = shiftWeights(source, target, context);
  ASSERT_OK(weights);
  ASSERT_EQ(weights->source.size(), 4000U);
  ASSERT_EQ(weights->target.size(), 2000U);
  const double in_source = confidentShare(source);
  const double in_target = confidentShare(target);
  for (std::int64_t i = 0; i < 4000; ++i) {
    const double ratio = source.confidence.data()[i] > 0.9 ? in_target / in_source
                                                           : (1.0 - in_target) / (1.0 - in_source);
    // The prior of the regression pulls weights towards 1 a little.
    EXPECT_NEAR(weights->source[static_cast<std::size_t>(i)], ratio, 0.01 * ratio);
  }
}

TEST(Labelling, WeightsRestoreTheGuaranteeThatAShiftBreaks) {
  RunContext context;
  LabellingOptions options;
  options.targets = {0.9};
  const dubito::Run source = mixtureRun(6000, 0.85, 1);
  const dubito::Run target = mixtureRun(6000, 0.3, 2);
  const auto results =
      labelTarget({.target = target, .validation = source, .adaptation = target}, options, context);
  ASSERT_OK(results);
  // On the source, 92 % of all are right, so all may be labelled; on the target, 65 % are.
  const LabellingResult& conformal = resultOf(*results, LabellingRule::kConformal, 0.9);
  EXPECT_EQ(conformal.share(), 1.0);
  EXPECT_NEAR(conformal.kept(), 0.3 * 0.99 + 0.7 * 0.5, 0.03);
  const LabellingResult& source_rule = resultOf(*results, LabellingRule::kSource, 0.9);
  EXPECT_EQ(source_rule.accepted, conformal.accepted);
  // With weights, and with labels of the target, only the confident ones are.
  for (const LabellingRule rule : {LabellingRule::kWeightedConformal, LabellingRule::kTarget}) {
    const LabellingResult& result = resultOf(*results, rule, 0.9);
    EXPECT_NEAR(result.share(), 0.3, 0.03);
    EXPECT_GT(result.kept(), 0.98);
  }
  const double effective =
      resultOf(*results, LabellingRule::kWeightedConformal, 0.9).effective_items;
  // Shares 0.85 and 0.15 with weights 0.35 and 4.67.
  EXPECT_NEAR(effective, 6000.0 / (0.85 * 0.353 * 0.353 + 0.15 * 4.667 * 4.667), 120.0);
}

TEST(ShiftWeights, AreThoseOfALogisticRegressionOnCentredLogs) {
  RunContext context;
  const dubito::Run source = test::randomRun(60, 3, 4.0, 1, true, false);
  const dubito::Run target = test::randomRun(40, 3, 2.0, 2, true, false);
  std::vector<std::vector<double>> rows;
  for (const dubito::Run* const run : {&source, &target}) {
    for (std::int64_t i = 0; i < run->itemCount(); ++i) {
      std::vector<double> logs;
      double mean = 0.0;
      for (std::int64_t k = 0; k < 3; ++k) {
        logs.push_back(std::log(run->prob(i, k)));
        mean += logs.back() / 3.0;
      }
      std::ranges::for_each(logs, [mean](double& log) { log -= mean; });
      rows.push_back(logs);
    }
  }
  std::vector<float> values(300);
  for (std::size_t k = 0; k < 3; ++k) {
    double mean = 0.0;
    double variance = 0.0;
    for (const auto& row : rows) {
      mean += row[k] / 100.0;
    }
    for (const auto& row : rows) {
      variance += (row[k] - mean) * (row[k] - mean) / 100.0;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      values[3 * i + k] = static_cast<float>((rows[i][k] - mean) / std::sqrt(variance));
    }
  }
  LabelledFeatures items{.features = Array<float>::fromVector({100, 3}, values),
                         .labels = std::vector<std::int64_t>(100, 0)};
  std::fill(items.labels.begin() + 60, items.labels.end(), 1);
  // The difference of two rows with prior precision 2 each has prior precision 1.
  const auto fitted = fitSoftmaxRegression(items, {}, {.classes = 2, .l2 = 0.02}, context);
  ASSERT_OK(fitted);
  const auto weights = shiftWeights(source, target, context);
  ASSERT_OK(weights);
  for (std::size_t i = 0; i < 100; ++i) {
    double log_odds = fitted->head.bias[1] - fitted->head.bias[0];
    for (std::int64_t k = 0; k < 3; ++k) {
      log_odds += (fitted->head.weight.row(1)[static_cast<std::size_t>(k)] -
                   fitted->head.weight.row(0)[static_cast<std::size_t>(k)]) *
                  double{values[3 * i + static_cast<std::size_t>(k)]};
    }
    const double expected = 60.0 / 40.0 * std::exp(log_odds);
    // Features are rounded to float32, and the fit ends at a gradient of 1e-6.
    EXPECT_NEAR(i < 60 ? weights->source[i] : weights->target[i - 60], expected, 1e-3 * expected);
  }
}

TEST(ShiftWeights, ThePriorOfTheRegressionHasPrecisionOne) {
  // Two classes: the features of an item are s and -s, so that their weights are v and -v, the log
  // odds b + 2 v s and the penalty (b^2 + 2 v^2) / 2. Its optimum is found from the ratios alone.
  RunContext context;
  const dubito::Run source = mixtureRun(30, 0.8, 1);
  const dubito::Run target = mixtureRun(20, 0.3, 2);
  std::vector<double> s;
  for (const dubito::Run* const run : {&source, &target}) {
    for (std::int64_t i = 0; i < run->itemCount(); ++i) {
      s.push_back(0.5 * (std::log(run->prob(i, 0)) - std::log(run->prob(i, 1))));
    }
  }
  double mean = 0.0;
  double variance = 0.0;
  std::ranges::for_each(s, [&](double value) { mean += value / 50.0; });
  std::ranges::for_each(s, [&](double value) { variance += std::pow(value - mean, 2) / 50.0; });
  std::ranges::for_each(s, [&](double& value) { value = (value - mean) / std::sqrt(variance); });
  const auto weights = shiftWeights(source, target, context);
  ASSERT_OK(weights);
  std::vector<double> log_odds;
  for (std::size_t i = 0; i < 50; ++i) {
    const double ratio = i < 30 ? weights->source[i] : weights->target[i - 30];
    log_odds.push_back(std::log(ratio * 20.0 / 30.0));
  }
  // The ends of a line of log odds over s.
  const auto [low, high] = std::ranges::minmax_element(s);
  const auto at = [&](auto place) { return log_odds[static_cast<std::size_t>(place - s.begin())]; };
  const double slope = (at(high) - at(low)) / (*high - *low);
  const double b = at(low) - slope * *low;
  ASSERT_GT(std::abs(slope), 0.05);
  double of_b = b;
  double of_v = slope;  // d/dv of (2 v^2) / 2 with v = slope / 2, times 1
  for (std::size_t i = 0; i < 50; ++i) {
    const double residual = 1.0 / (1.0 + std::exp(-log_odds[i])) - (i < 30 ? 0.0 : 1.0);
    of_b += residual;
    of_v += 2.0 * s[i] * residual;
  }
  EXPECT_NEAR(of_b, 0.0, 1e-3);
  EXPECT_NEAR(of_v, 0.0, 1e-3);
}

TEST(Labelling, TheWeightOfAnItemCountsForItsOwnThreshold) {
  RunContext context;
  const dubito::Run source = test::randomRun(8, 3, 6.0, 1, true, false);
  const dubito::Run target = test::randomRun(200, 3, 3.0, 2, true, false);
  const auto weights = shiftWeights(source, target, context);
  ASSERT_OK(weights);
  std::vector<std::pair<double, double>> scores;  // with their weights
  double total = 0.0;
  for (std::int64_t i = 0; i < 8; ++i) {
    scores.emplace_back(1.0 - source.prob(i, source.labels.data()[i]),
                        weights->source[static_cast<std::size_t>(i)]);
    total += scores.back().second;
  }
  std::ranges::sort(scores);
  const auto acceptedWith = [&](const std::vector<double>& of_items) {
    std::int64_t accepted = 0;
    for (std::int64_t i = 0; i < 200; ++i) {
      const double wanted = 0.8 * (total + of_items[static_cast<std::size_t>(i)]);
      double threshold = 2.0;  // above all scores: the set has all classes
      double sum = 0.0;
      for (const auto& [score, weight] : scores) {
        sum += weight;
        if (sum >= wanted) {
          threshold = score;
          break;
        }
      }
      int classes = 0;
      for (std::int64_t k = 0; k < 3; ++k) {
        classes += 1.0 - target.prob(i, k) <= threshold ? 1 : 0;
      }
      accepted += classes == 1 ? 1 : 0;
    }
    return accepted;
  };
  LabellingOptions options;
  options.targets = {0.8};
  const auto results =
      labelTarget({.target = target, .validation = source, .adaptation = source}, options, context);
  ASSERT_OK(results);
  const std::int64_t expected = acceptedWith(weights->target);
  ASSERT_NE(acceptedWith(std::vector<double>(200, 1.0)), expected);
  EXPECT_EQ(resultOf(*results, LabellingRule::kWeightedConformal, 0.8).accepted, expected);
}

TEST(Labelling, ResultsSurviveJson) {
  const std::vector<LabellingResult> results{{.rule = LabellingRule::kWeightedConformal,
                                              .guaranteed = 0.95,
                                              .items = 10,
                                              .accepted = 4,
                                              .right = 3,
                                              .calibration_items = 7,
                                              .effective_items = 2.5}};
  const auto read = labellingFromJson(toJson(results), "file");
  ASSERT_OK(read);
  EXPECT_EQ(toJson(*read), toJson(results));
  EXPECT_EQ(read->front().share(), 0.4);
  EXPECT_EQ(read->front().kept(), 0.75);
  nlohmann::json damaged = toJson(results);
  damaged[0]["rule"] = "other";
  EXPECT_FALSE(labellingFromJson(damaged, "file"));
  damaged[0].erase("rule");
  const auto refused = labellingFromJson(damaged, "file");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("file"));
}

}  // namespace
}  // namespace dubito
