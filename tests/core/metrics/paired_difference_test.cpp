// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/paired_difference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/io/join_runs.h"
#include "core/io/run_summary.h"
#include "core/measures/measures.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/percentile.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;
using test::randomRun;

PairedComparison compare(const dubito::Run& a, const dubito::Run& b) {
  RunContext context;
  const auto result = pairedComparison(a, b, {}, context);
  EXPECT_OK(result);
  return result.value_or(PairedComparison());
}

/// The labels of one run with the probabilities of another.
dubito::Run labelledAs(dubito::Run run, const dubito::Run& other) {
  run.labels = other.labels;
  run.ids = other.ids;
  return run;
}

dubito::Run part(const dubito::Run& run, std::int64_t begin, std::int64_t end) {
  dubito::Run result = run;
  result.probs = std::get<Array<float>>(*run.probs).slice(begin, end);
  result.labels = run.labels.slice(begin, end);
  result.ids = run.ids.slice(begin, end);
  result.predictions = run.predictions.slice(begin, end);
  result.confidence = run.confidence.slice(begin, end);
  return result;
}

TEST(PairedDifference, IsTheDifferenceOfTheMetrics) {
  const dubito::Run a = randomRun(700, 5, 2.5, 1, true, false);
  const dubito::Run b = labelledAs(randomRun(700, 5, 1.0, 2, true, false), a);
  RunContext context;
  const Evaluation of_a = evaluate(a, {}, {}, context).value();
  const Evaluation of_b = evaluate(b, {}, {}, context).value();
  const PairedComparison found = compare(a, b);
  EXPECT_EQ(found.items, 700);
  EXPECT_TRUE(found.by_bootstrap);
  ASSERT_EQ(found.differences.size(), 3U);
  EXPECT_TRUE(
      closeTo(found.differences[0].difference, *of_a.accuracy - *of_b.accuracy, 1e-9, 1e-12));
  EXPECT_TRUE(closeTo(found.differences[1].difference, *of_a.nll - *of_b.nll, 1e-9));
  EXPECT_TRUE(closeTo(found.differences[2].difference, *of_a.brier - *of_b.brier, 1e-9));
  EXPECT_TRUE(found.differences[0].higher_is_better);
  EXPECT_FALSE(found.differences[1].higher_is_better);
  for (const PairedDifference& difference : found.differences) {
    EXPECT_LT(difference.interval.low, difference.difference);
    EXPECT_GT(difference.interval.high, difference.difference);
  }
  // The other way round it is the same with the other sign.
  const PairedComparison turned = compare(b, a);
  EXPECT_DOUBLE_EQ(turned.differences[1].difference, -found.differences[1].difference);
  EXPECT_NEAR(turned.differences[1].interval.low, -found.differences[1].interval.high, 1e-9);
}

TEST(PairedDifference, AgreesWithTheNormalIntervalOfManyItems) {
  const dubito::Run a = randomRun(15'000, 4, 2.0, 3, true, false);
  const dubito::Run b = labelledAs(randomRun(15'000, 4, 1.8, 4, true, false), a);
  const dubito::Run more_a = randomRun(30'000, 4, 2.0, 3, true, false);
  const dubito::Run more_b = labelledAs(randomRun(30'000, 4, 1.8, 4, true, false), more_a);
  const PairedComparison few = compare(a, b);
  const PairedComparison many = compare(more_a, more_b);
  EXPECT_TRUE(few.by_bootstrap);
  EXPECT_FALSE(many.by_bootstrap);
  for (std::size_t m = 0; m < 3; ++m) {
    const auto width = [m](const PairedComparison& comparison) {
      return comparison.differences[m].interval.high - comparison.differences[m].interval.low;
    };
    EXPECT_NEAR(width(few) / width(many), std::sqrt(2.0), 0.12);
  }
}

TEST(PairedDifference, JoinsOnIdsAndLeavesUnlabelledItemsOut) {
  dubito::Run a = randomRun(300, 3, 2.0, 5, true, false);
  const dubito::Run b = labelledAs(randomRun(300, 3, 1.0, 6, true, false), a);
  const PairedComparison shared = compare(part(a, 100, 300), part(b, 0, 250));
  EXPECT_EQ(shared.items, 150);
  const PairedComparison same = compare(part(a, 100, 250), part(b, 100, 250));
  EXPECT_DOUBLE_EQ(shared.differences[1].difference, same.differences[1].difference);

  std::vector<std::int64_t> labels(a.labels.values().begin(), a.labels.values().end());
  labels[7] = -1;
  a.labels = Array<std::int64_t>::fromVector(labels);
  EXPECT_EQ(compare(a, b).items, 299);
  RunContext context;
  const auto none = pairedComparison(part(a, 0, 10), part(b, 200, 210), {}, context);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("share no labelled item"));
}

TEST(PairedDifference, RefusesRunsThatOnlySeemToShareItems) {
  const dubito::Run a = randomRun(60, 3, 2.0, 11, true, false);
  RunContext context;
  dubito::Run other_labels = a;
  other_labels.labels = randomRun(60, 3, 1.0, 12, true, false).labels;
  const auto refused = pairedComparison(a, other_labels, {}, context);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, HasSubstr("has the label"));
  dubito::Run named = a;
  named.meta.class_names = {"a", "b", "c"};
  dubito::Run turned = a;
  turned.meta.class_names = {"c", "b", "a"};
  const auto other_classes = pairedComparison(named, turned, {}, context);
  ASSERT_FALSE(other_classes);
  EXPECT_THAT(other_classes.error().message, HasSubstr("class names"));
  EXPECT_TRUE(pairedComparison(named, a, {}, context));
  dubito::Run shouted = named;
  shouted.meta.class_names = {"A", "B", "C"};
  EXPECT_TRUE(pairedComparison(named, shouted, {}, context));
  dubito::Run other_contents = a;
  dubito::Run contents = a;
  contents.meta.dataset_hash = "00ff";
  other_contents.meta.dataset_hash = "00fe";
  const auto changed = pairedComparison(contents, other_contents, {}, context);
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message, HasSubstr("content hash"));
  // The hash covers the inputs of the networks.
  other_contents.meta.preprocessing = "32 x 32";
  EXPECT_TRUE(pairedComparison(contents, other_contents, {}, context));
  context.control()->requestCancel();
  EXPECT_EQ(pairedComparison(a, a, {}, context).error().code, ErrorCode::kCancelled);
}

TEST(PairedDifference, OfConfidencesIsThatOfTheAccuracyAlone) {
  const dubito::Run a = randomRun(50, 3, 2.0, 7, true, false);
  const dubito::Run b = test::confidenceOnly(labelledAs(randomRun(50, 3, 1.0, 8, true, false), a));
  const PairedComparison found = compare(a, b);
  ASSERT_EQ(found.differences.size(), 1U);
  EXPECT_EQ(found.differences[0].metric, "accuracy");
}

TEST(SharedRows, TellWhereRunsDisagree) {
  const dubito::Run a = randomRun(40, 3, 2.0, 9, true, false);
  const dubito::Run b = labelledAs(randomRun(40, 3, 1.0, 10, true, false), a);
  const dubito::Run later = part(b, 10, 40);
  const std::vector<SharedRow> rows = joinRuns({a, "a"}, {later, "later"}).value();
  ASSERT_EQ(rows.size(), 30U);
  EXPECT_EQ(rows.front().first, 10);
  EXPECT_EQ(rows.front().second, 0);
  const std::vector<bool> differs = disagreements({a, "a"}, {later, "later"}).value();
  ASSERT_EQ(differs.size(), 40U);
  int count = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    const bool expected = i >= 10 && a.predictions.data()[i] != b.predictions.data()[i];
    EXPECT_EQ(differs[i], expected) << i;
    count += expected ? 1 : 0;
  }
  EXPECT_GT(count, 0);
}

TEST(PairedDifference, LikelihoodOfLogitsHasNoClamp) {
  // Confidently wrong: 9 997 and 4 997 nats, of which probabilities in double know 708.
  const auto runOfGap = [](double gap) {
    dubito::Run run;
    run.labels = Array<std::int64_t>::fromVector({2, 2});
    run.ids = Array<std::int64_t>::fromVector({0, 1});
    run.logits = Array<double>::fromVector({2, 3}, {0.0, gap, 3.0, 0.0, gap, 3.0});
    run.probs = Array<double>::fromVector({2, 3}, {0.0, 1.0, 0.0, 0.0, 1.0, 0.0});
    fillFromLogits(run, RunContext());
    return run;
  };
  const PairedComparison comparison = compare(runOfGap(1e4), runOfGap(5e3));
  const auto nll = std::ranges::find(comparison.differences, "nll", &PairedDifference::metric);
  ASSERT_NE(nll, comparison.differences.end());
  EXPECT_NEAR(nll->difference, 5000.0, 1e-9);
}

TEST(PairedDifference, LeavesMaskedLabelsOut) {
  constexpr double kMasked = -std::numeric_limits<double>::infinity();
  const auto runOf = [](double scale, std::vector<std::int64_t> masked) {
    dubito::Run run;
    run.labels = Array<std::int64_t>::fromVector({0, 1, 0, 1});
    run.ids = Array<std::int64_t>::fromVector({0, 1, 2, 3});
    std::vector<double> logits = {scale, 0.0, 0.0, scale, 0.0, scale, scale, 0.0};
    for (const std::int64_t item : masked) {
      logits[static_cast<std::size_t>(2 * item + run.labels.data()[item])] = kMasked;
    }
    run.logits = Array<double>::fromVector({4, 2}, logits);
    std::vector<double> probs;
    for (std::size_t i = 0; i < logits.size(); i += 2) {
      const std::vector<double> row = softmax(std::span<const double>(logits).subspan(i, 2));
      probs.insert(probs.end(), row.begin(), row.end());
    }
    run.probs = Array<double>::fromVector({4, 2}, probs);
    fillFromLogits(run, RunContext());
    return run;
  };
  const auto nllOf = [](const PairedComparison& comparison) {
    const auto nll = std::ranges::find(comparison.differences, "nll", &PairedDifference::metric);
    EXPECT_NE(nll, comparison.differences.end());
    return nll == comparison.differences.end() ? PairedDifference() : *nll;
  };
  // One in both, one in the second alone.
  const PairedComparison some = compare(runOf(1.0, {3}), runOf(2.0, {2, 3}));
  EXPECT_EQ(some.items, 4);
  EXPECT_EQ(nllOf(some).left_out, 2);
  const double expected = std::log1p(std::exp(-1.0)) - std::log1p(std::exp(-2.0));
  EXPECT_NEAR(nllOf(some).difference, expected, 1e-12);
  EXPECT_NEAR(nllOf(some).interval.low, expected, 1e-12);
  EXPECT_NEAR(nllOf(some).interval.high, expected, 1e-12);
  EXPECT_EQ(some.differences.front().left_out, 0);
  const PairedComparison none = compare(runOf(1.0, {0, 1, 2, 3}), runOf(2.0, {}));
  EXPECT_TRUE(std::ranges::none_of(none.differences, [](const PairedDifference& difference) {
    return difference.metric == "nll";
  }));
}

TEST(Percentile, InterpolatesAndKnowsTheNormalDistribution) {
  const std::vector<double> values = {1.0, 2.0, 4.0};
  EXPECT_DOUBLE_EQ(percentileOfSorted(values, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(percentileOfSorted(values, 0.75), 3.0);
  EXPECT_DOUBLE_EQ(percentileOfSorted(values, 1.0), 4.0);
  EXPECT_NEAR(normalQuantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normalQuantile(0.5), 0.0, 1e-15);
}

}  // namespace
}  // namespace dubito
