// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric_info.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>

#include "core/metrics/evaluation.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

std::ptrdiff_t sentencesIn(const std::string& text) {
  static const std::regex end(R"(\.( |$))");
  return std::distance(std::sregex_iterator(text.begin(), text.end(), end), std::sregex_iterator());
}

TEST(MetricInfo, EveryMetricIsExplained) {
  std::set<std::string> keys;
  for (const Metric metric : allMetrics()) {
    const MetricInfo& info = describe(metric);
    ASSERT_NE(info.key, nullptr);
    EXPECT_TRUE(keys.insert(info.key).second) << info.key << " twice";
    for (const char* const text : {info.name, info.symbol, info.summary, info.meaning, info.formula,
                                   info.range, info.source}) {
      ASSERT_NE(text, nullptr) << info.key;
      EXPECT_STRNE(text, "") << info.key;
    }
    EXPECT_GE(sentencesIn(info.meaning), 2) << info.key;
    EXPECT_LE(sentencesIn(info.meaning), 4) << info.key;
    // The direction is said by directionOf alone, so that it cannot contradict itself.
    EXPECT_THAT(std::string(info.summary), Not(HasSubstr("is better"))) << info.key;
  }
  EXPECT_GE(keys.size(), kBuiltInMetrics);
}

TEST(MetricInfo, FractionsSayThatTheyAreShownInPerCent) {
  for (const Metric metric : allMetrics()) {
    const MetricInfo& info = describe(metric);
    EXPECT_EQ(info.is_fraction, std::string(info.range).find("per cent") != std::string::npos)
        << info.key;
  }
}

TEST(MetricInfo, AnExplanationEndsWithTheDirection) {
  EXPECT_EQ(explain(Metric::kAccuracy), "share of correct predictions; higher is better");
  EXPECT_EQ(explain(Metric::kNll, "log-softmax of the logits"),
            "mean negative log probability of the true class, nats (log-softmax of the logits); "
            "lower is better");
  EXPECT_EQ(explain(Metric::kMmc), "mean maximum confidence over all items, labelled or not");
  EXPECT_EQ(directionOf(Metric::kMmc), "neither direction is better");
}

/// One with everything that has a row.
Evaluation fullEvaluation() {
  const SelectiveMetrics selective{{0.9, 0.8, 0.1}, 0.01, 0.005, 0.007};
  Evaluation evaluation;
  evaluation.name = "MNIST";
  evaluation.n = 100;
  evaluation.unlabelled = 1;
  evaluation.nll_clamped = 1;
  evaluation.masked_labels = 1;
  evaluation.classes = 10;
  evaluation.ece_bins = 15;
  evaluation.accuracy = evaluation.nll = evaluation.brier = evaluation.ece = 0.5;
  evaluation.mce = evaluation.rmsce = evaluation.aece = evaluation.classwise_ece = 0.5;
  evaluation.misclassified["entropy"] = selective;
  evaluation.ood.push_back({"fashion",
                            10,
                            0.4,
                            {{"entropy", selective.rank}},
                            {{"entropy", selective.rank}},
                            {{"entropy", 0.5}}});
  evaluation.with_ood["fashion"] = {0.25, 0.5};
  evaluation.gauge = GaugeSummary{{5, 0.1, 0.2}, {5, 0.1, 0.2}, GaugeStatistics{5, 0.1, 0.2}};
  return evaluation;
}

TEST(MetricInfo, EveryRowOfTheTableThatIsNoCountHasATopic) {
  std::set<std::string> topics;
  for (const Metric metric : allMetrics()) {
    topics.insert(describe(metric).key);
  }
  // Sums of what each item has.
  topics.insert({"gauge_bridge", "gauge_probit", "gauge_divergence"});
  std::set<std::string> seen;
  for (const MetricRow& row : toRows(fullEvaluation())) {
    EXPECT_EQ(row.topic.empty(), row.is_count) << row.group << ": " << row.name;
    EXPECT_TRUE(row.is_count || topics.contains(row.topic)) << row.name << ": " << row.topic;
    seen.insert(row.topic);
  }
  for (const char* const key : {"accuracy", "nll", "brier", "mmc", "ece", "mce", "rmsce", "aece",
                                "classwise_ece", "auroc", "aupr", "fpr95", "aurc", "eaurc", "augrc",
                                "gauge_bridge", "gauge_probit", "gauge_divergence"}) {
    EXPECT_TRUE(seen.contains(key)) << key;
  }
}

// Last: what is added stays.
TEST(MetricInfo, OneOfTheProgramsOwnIsFoundEverywhere) {
  MetricInfo info = describe(Metric::kAccuracy);
  info.key = "error_rate";
  info.symbol = "error rate";
  info.high_is_good = false;
  info.of_set = nullptr;
  info.compute = [](const dubito::Run& run, const RunContext&) {
    double wrong = 0.0;
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      wrong += run.labels.data()[i] == run.predictions.data()[i] ? 0.0 : 1.0;
    }
    return wrong / static_cast<double>(run.itemCount());
  };
  const Metric error_rate = addMetric(info);
  EXPECT_THROW(addMetric(info), std::invalid_argument);
  const dubito::Run run = test::randomRun(300, 4, 1.5, 7, true, false);
  RunContext context;
  const auto evaluation = evaluate(run, {}, {}, context);
  ASSERT_OK(evaluation);
  EXPECT_NEAR(valueOf(*evaluation, error_rate), 1.0 - *evaluation->accuracy, 1e-12);
  EXPECT_EQ(toJson(*evaluation).at("error_rate"), valueOf(*evaluation, error_rate));
  const std::vector<MetricRow> rows = toRows(*evaluation);
  EXPECT_TRUE(std::ranges::any_of(rows, [](const MetricRow& row) {
    return row.topic == "error_rate" && row.name == "error rate" && row.is_fraction;
  }));
  EXPECT_EQ(explain(error_rate), "share of correct predictions; lower is better");
}

}  // namespace
}  // namespace dubito
