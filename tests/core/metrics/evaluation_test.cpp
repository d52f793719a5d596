// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "core/io/run_summary.h"
#include "core/measures/measures.h"
#include "core/metrics/proper_scores.h"
#include "core/metrics/reliability_diagram.h"
#include "core/metrics/selective.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/core/metrics/vector_sections.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;

Evaluation evaluated(const Run& run, const std::vector<NamedRun>& ood = {},
                     std::int64_t bins = 15) {
  EvaluationOptions options;
  options.bins = bins;
  RunContext context;
  Expected<Evaluation> evaluation = evaluate(run, ood, options, context);
  if (!evaluation) {
    throw std::runtime_error(evaluation.error().message);
  }
  return *evaluation;
}

std::set<std::string> keysOf(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) {
    keys.insert(key);
  }
  return keys;
}

/// A run of the logits of evaluation.json.
Run vectorRun(const char* key, std::vector<std::int64_t> labels) {
  const Array<double> logits = test::tableOf<double>(test::readVectors("evaluation").at(key));
  Array<float> probs = Array<float>::zeros(logits.shape());
  for (std::int64_t i = 0; i < logits.extent(0); ++i) {
    const std::vector<double> row = softmax(logits.row(i));
    std::copy(row.begin(), row.end(), probs.mutableRow(i).begin());
  }
  if (labels.empty()) {
    labels.assign(static_cast<std::size_t>(probs.extent(0)), -1);
  }
  return test::runOf(probs, std::move(labels), key);
}

TEST(Evaluate, AgreesWithTheReference) {
  const json vectors = test::readVectors("evaluation");
  const dubito::Run run =
      vectorRun("logits", vectors.at("labels").get<std::vector<std::int64_t>>());
  const dubito::Run ood = vectorRun("ood_logits", {});
  const auto expectAt = [&](const char* place, double actual) {
    EXPECT_TRUE(closeTo(actual, vectors.at(json::json_pointer(place)).get<double>(), 1e-5))
        << place;
  };
  const json at15 = toJson(evaluated(run, {{"other", &ood}}));
  const auto number = [](const json& object, const char* place) {
    return object.at(json::json_pointer(place)).get<double>();
  };
  EXPECT_EQ(at15.at("n"), vectors.at("labels").size());
  EXPECT_EQ(at15.at("classes"), vectors.at("logits").at(0).size());
  expectAt("/accuracy", number(at15, "/accuracy"));
  expectAt("/nll", number(at15, "/nll"));
  expectAt("/brier", number(at15, "/brier"));
  expectAt("/reliability/15/ece", number(at15, "/ece"));
  expectAt("/reliability/15/mce", number(at15, "/mce"));
  expectAt("/reliability/15/rmsce", number(at15, "/rmsce"));
  expectAt("/classwise_ece_15", number(at15, "/classwise_ece"));
  expectAt("/mmc_in", number(at15, "/mmc"));
  expectAt("/mmc_ood", number(at15, "/ood/other/mmc"));
  for (const std::string score : {"confidence", "entropy"}) {
    for (const auto& [protocol, place] : std::vector<std::pair<std::string, std::string>>{
             {"correct_vs_misclassified", "/misclassified/"},
             {"correct_vs_ood", "/ood/other/correct_vs_ood/"}}) {
      const json& expected = vectors.at(protocol).at(score);
      const json& actual = at15.at(json::json_pointer(place + score));
      EXPECT_TRUE(closeTo(actual.at("auroc"), expected.at("auroc"), 1e-5)) << protocol << score;
      EXPECT_TRUE(closeTo(actual.at("aupr"), expected.at("average_precision"), 1e-5)) << protocol;
      EXPECT_TRUE(closeTo(actual.at("fpr95"), expected.at("fpr95"), 1e-5)) << protocol << score;
    }
  }
  // The area does not change when the groups are swapped.
  expectAt("/in_vs_ood_ood_positive/entropy/auroc",
           number(at15, "/ood/other/in_vs_ood/entropy/auroc"));
  expectAt("/in_vs_ood_ood_positive/entropy/average_precision",
           number(at15, "/ood/other/aupr_ood_positive/entropy"));
  const json at20 = toJson(evaluated(run, {{"other", &ood}}, 20));
  EXPECT_EQ(at20.at("ece_bins"), 20);
  expectAt("/reliability/20/ece", number(at20, "/ece"));
  expectAt("/with_ood_ece_20", number(at20, "/with_ood/other/ece"));
  expectAt("/with_ood_mce_20", number(at20, "/with_ood/all/mce"));
}

TEST(Evaluate, WritesTheKeysThatScriptsRelyOn) {
  const dubito::Run run = test::randomRun(300, 5, 2.0, 1, true, true);
  const dubito::Run ood = test::randomRun(100, 5, 0.5, 2, false, true);
  const json object = toJson(evaluated(run, {{"far", &ood}}));
  for (const char* key : {"n", "classes", "accuracy", "nll", "brier", "ece", "mce", "ece_bins",
                          "aece", "mmc", "misclassified", "ood", "with_ood"}) {
    EXPECT_TRUE(object.contains(key)) << key;
  }
  const std::set<std::string> scores{"confidence", "entropy", "mutual_information"};
  const std::set<std::string> rank{"auroc", "aupr", "fpr95"};
  EXPECT_EQ(keysOf(object.at("misclassified")), scores);
  for (const std::string& score : scores) {
    for (const char* key : {"auroc", "aupr", "fpr95", "aurc", "eaurc"}) {
      EXPECT_TRUE(object.at("misclassified").at(score).contains(key)) << score << key;
    }
    EXPECT_EQ(keysOf(object.at("ood").at("far").at("correct_vs_ood").at(score)), rank);
    EXPECT_EQ(keysOf(object.at("ood").at("far").at("in_vs_ood").at(score)), rank);
  }
  EXPECT_EQ(
      keysOf(object.at("ood").at("far")),
      (std::set<std::string>{"n", "mmc", "correct_vs_ood", "in_vs_ood", "aupr_ood_positive"}));
  EXPECT_EQ(keysOf(object.at("with_ood")), (std::set<std::string>{"far", "all"}));
  EXPECT_EQ(keysOf(object.at("with_ood").at("all")), (std::set<std::string>{"ece", "mce"}));
}

TEST(Evaluate, NumbersSurviveTheText) {
  const Evaluation evaluation = evaluated(test::randomRun(200, 3, 1.0, 4, true, false));
  const json read = json::parse(toJson(evaluation).dump());
  EXPECT_EQ(read.at("nll").get<double>(), *evaluation.nll);
  EXPECT_EQ(read.at("ece").get<double>(), *evaluation.ece);
}

TEST(Evaluate, LeavesOutWhatARunCannotGive) {
  const dubito::Run map = test::randomRun(200, 4, 1.0, 5, true, false);
  EXPECT_EQ(keysOf(toJson(evaluated(map)).at("misclassified")),
            (std::set<std::string>{"confidence", "entropy"}));

  const dubito::Run bare = test::confidenceOnly(map);
  const json object = toJson(evaluated(bare, {{"itself", &bare}}));
  for (const char* key : {"nll", "brier", "classes", "classwise_ece"}) {
    EXPECT_FALSE(object.contains(key)) << key;
  }
  EXPECT_EQ(keysOf(object.at("misclassified")), (std::set<std::string>{"confidence"}));
  EXPECT_EQ(object.at("ece"), toJson(evaluated(map)).at("ece"));
  EXPECT_TRUE(closeTo(object.at("ood").at("itself").at("in_vs_ood").at("confidence").at("auroc"),
                      0.5, 1e-12));

  const dubito::Run unlabelled = test::randomRun(50, 4, 1.0, 6, false, false);
  const json without = toJson(evaluated(unlabelled, {{"bare", &bare}}));
  EXPECT_EQ(without.at("n"), 0);
  EXPECT_EQ(without.at("unlabelled"), 50);
  for (const char* key : {"accuracy", "nll", "brier", "ece", "mce", "aece"}) {
    EXPECT_FALSE(without.contains(key)) << key;
  }
  EXPECT_TRUE(without.at("misclassified").empty());
  EXPECT_TRUE(without.at("with_ood").empty());
  EXPECT_TRUE(without.contains("mmc"));
  EXPECT_EQ(keysOf(without.at("ood").at("bare").at("in_vs_ood")),
            (std::set<std::string>{"confidence"}));
  EXPECT_TRUE(without.at("ood").at("bare").at("correct_vs_ood").empty());
}

TEST(Evaluate, WithoutMistakesThereIsNoRankingButARisk) {
  const Array<float> probs = Array<float>::fromVector({2, 2}, {0.9F, 0.1F, 0.2F, 0.8F});
  const json object = toJson(evaluated(test::runOf(probs, {0, 1}, "easy")));
  const json& entry = object.at("misclassified").at("entropy");
  EXPECT_FALSE(entry.contains("auroc"));
  EXPECT_EQ(entry.at("aurc"), 0.0);
}

TEST(Evaluate, UnlabelledItemsCountOnlyWhereNoLabelIsNeeded) {
  const Array<float> probs = Array<float>::fromVector({3, 2}, {0.9F, 0.1F, 0.2F, 0.8F, 0.5F, 0.5F});
  const Evaluation evaluation = evaluated(test::runOf(probs, {0, 0, -1}, "mixed"));
  EXPECT_EQ(evaluation.n, 2);
  EXPECT_EQ(evaluation.unlabelled, 1);
  EXPECT_DOUBLE_EQ(*evaluation.accuracy, 0.5);
  EXPECT_TRUE(closeTo(evaluation.mmc, (0.9 + 0.8 + 0.5) / 3.0, 1e-7));
  EXPECT_TRUE(closeTo(*evaluation.nll, -0.5 * (std::log(0.9) + std::log(0.2)), 1e-7));
}

TEST(Evaluate, SetsOfOtherClassesCanBeOod) {
  const dubito::Run run = test::randomRun(200, 3, 2.0, 7, true, true);
  const dubito::Run ood = test::randomRun(80, 7, 0.3, 8, false, true);
  const Evaluation evaluation = evaluated(run, {{"seven", &ood}});
  EXPECT_EQ(evaluation.classes, 3);
  EXPECT_EQ(evaluation.ood.at(0).in_vs_ood.size(), 3U);
}

TEST(Evaluate, TakesLogitsWhereTheyGiveTheProbabilities) {
  dubito::Run run = test::runOf(Array<float>::fromVector({1, 2}, {1.0F, 0.0F}), {1}, "sure");
  EXPECT_TRUE(closeTo(*evaluated(run).nll, 126.0 * std::log(2.0), 1e-12));
  run.logits = Array<float>::fromVector({1, 2}, {0.0F, -500.0F});
  EXPECT_TRUE(closeTo(*evaluated(run).nll, 500.0, 1e-12));
  run.logits = Array<float>::fromVector({1, 2}, {0.0F, -1.0F});
  EXPECT_TRUE(closeTo(*evaluated(run).nll, 126.0 * std::log(2.0), 1e-12))
      << "logits of something else must not be used";
}

TEST(Evaluate, RefusesWhatCannotBeMeant) {
  const dubito::Run run = test::randomRun(20, 3, 1.0, 9, true, false);
  RunContext context;
  const EvaluationOptions options;
  const auto codeOf = [&](const dubito::Run& in, const std::vector<NamedRun>& ood,
                          const EvaluationOptions& chosen) {
    const Expected<Evaluation> result = evaluate(in, ood, chosen, context);
    return result ? ErrorCode::kInternal : result.error().code;
  };
  EvaluationOptions no_bins;
  no_bins.bins = 0;
  EXPECT_EQ(codeOf(run, {}, no_bins), ErrorCode::kInvalidArgument);
  EXPECT_EQ(codeOf(run, {{"a", &run}, {"a", &run}}, options), ErrorCode::kInvalidArgument);
  EXPECT_EQ(codeOf(run, {{"all", &run}}, options), ErrorCode::kInvalidArgument);

  dubito::Run foreign = run;
  foreign.labels = Array<std::int64_t>::fromVector(std::vector<std::int64_t>(20, 3));
  EXPECT_EQ(codeOf(foreign, {}, options), ErrorCode::kMalformed);
  dubito::Run broken = run;
  broken.confidence = Array<double>::fromVector(std::vector<double>(20, std::nan("")));
  EXPECT_EQ(codeOf(broken, {}, options), ErrorCode::kMalformed);
  EXPECT_EQ(codeOf(run, {{"broken", &broken}}, options), ErrorCode::kMalformed);
  dubito::Run torn = run;
  torn.labels = Array<std::int64_t>::zeros({19});
  EXPECT_THROW(static_cast<void>(evaluate(torn, {}, options, context)), std::invalid_argument);
}

/// Random logits so far apart that float32 confidences are 1, wrong more often where they are
/// closer.
struct SaturatedItems {
  static constexpr std::int64_t kItems = 600;
  static constexpr std::int64_t kClasses = 4;

  Array<float> logits = Array<float>::zeros({kItems, kClasses});
  std::vector<std::int64_t> labels;

  explicit SaturatedItems(unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal(0.0, 15.0);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (std::int64_t i = 0; i < kItems; ++i) {
      for (float& logit : logits.mutableRow(i)) {
        logit = static_cast<float>(normal(random));
      }
      const std::int64_t predicted = argmax(logits.row(i));
      const bool wrong =
          uniform(random) < 0.5 * std::exp(0.05 * logRestOfLogits(logits.row(i), predicted));
      labels.push_back(wrong ? (predicted + 1) % kClasses : predicted);
    }
  }

  /// As the first schema stored runs: all of them rounded to float32.
  [[nodiscard]] dubito::Run rounded() const {
    Array<float> probs = Array<float>::zeros(logits.shape());
    for (std::int64_t i = 0; i < kItems; ++i) {
      const std::vector<double> row = softmax(logits.row(i));
      std::copy(row.begin(), row.end(), probs.mutableRow(i).begin());
    }
    return test::runOf(probs, labels, "saturated");
  }
  [[nodiscard]] dubito::Run exact() const {
    dubito::Run run = rounded();
    run.logits = logits;
    fillFromLogits(run, RunContext());
    run.logits.reset();
    return run;
  }
  /// P(score of a positive > score of a negative) + P(equal) / 2, pair by pair; negatives are the
  /// misclassified items, or all of `ood`.
  [[nodiscard]] double auroc(const SaturatedItems* ood = nullptr) const {
    double wins = 0.0;
    double pairs = 0.0;
    const auto rest = [](const SaturatedItems& items, std::int64_t i) {
      return logRestOfLogits(items.logits.row(i), argmax(items.logits.row(i)));
    };
    const auto isRight = [](const SaturatedItems& items, std::int64_t i) {
      return argmax(items.logits.row(i)) == items.labels[static_cast<std::size_t>(i)];
    };
    const SaturatedItems& others = ood == nullptr ? *this : *ood;
    for (std::int64_t i = 0; i < kItems; ++i) {
      for (std::int64_t j = 0; isRight(*this, i) && j < kItems; ++j) {
        if (ood != nullptr || !isRight(others, j)) {
          pairs += 1.0;
          const double difference = rest(others, j) - rest(*this, i);
          wins += difference > 0.0 ? 1.0 : difference == 0.0 ? 0.5 : 0.0;
        }
      }
    }
    return wins / pairs;
  }
};

TEST(Evaluate, RanksConfidencesThatRoundToOne) {
  const SaturatedItems items(3);
  const SaturatedItems others(4);
  dubito::Run with_logits = items.rounded();
  with_logits.logits = items.logits;
  with_logits.log_rest.reset();
  const dubito::Run ood = others.exact();
  const std::int64_t at_one = std::ranges::count(items.rounded().confidence.values(), 1.0);
  EXPECT_GT(at_one, SaturatedItems::kItems / 4);
  for (const auto& [run, tolerance] :
       {std::pair{items.exact(), 1e-12}, {with_logits, 1e-12}, {items.rounded(), 1e-5}}) {
    const Evaluation evaluation = evaluated(run, {{"other", &ood}});
    EXPECT_NEAR(evaluation.misclassified.at("confidence").rank.auroc, items.auroc(), tolerance);
    EXPECT_NEAR(evaluation.ood.front().correct_vs_ood.at("confidence").auroc, items.auroc(&others),
                tolerance);
    RunContext context;
    const auto overview = makeOverview(run, {}, {}, context);
    ASSERT_TRUE(overview);
    EXPECT_NEAR(overview->roc.front().summary, items.auroc(), tolerance);
    // What is not a ranking is of the confidence itself.
    EXPECT_NEAR(evaluation.ece.value(), evaluated(items.rounded()).ece.value(), 1e-7);
    EXPECT_NEAR(evaluation.aece.value(), evaluated(items.rounded()).aece.value(), 1e-3);
  }
}

TEST(Evaluate, TiesOfStoredConfidencesStayTies) {
  // The rest of 0.75 is 0.25 in both rows, but its parts sum to neighbours of it.
  const auto probs = Array<double>::fromVector(
      {4, 4}, {0.7, 0.1, 0.1, 0.1, 0.7, 0.05, 0.05, 0.2, 0.7, 0.3, 0.0, 0.0, 0.9, 0.1, 0.0, 0.0});
  dubito::Run run;
  run.probs = probs;
  run.labels = Array<std::int64_t>::fromVector({0, 1, 0, 0});
  run.ids = Array<std::int64_t>::fromVector({0, 1, 2, 3});
  fillFromProbs(run, RunContext());
  // Of three pairs two are tied.
  EXPECT_DOUBLE_EQ(evaluated(run).misclassified.at("confidence").rank.auroc, 2.0 / 3.0);
}

TEST(Evaluate, LikelihoodOfLogitsHasNoClamp) {
  dubito::Run run;
  run.labels = Array<std::int64_t>::fromVector({2, 1});
  run.ids = Array<std::int64_t>::fromVector({0, 1});
  run.logits = Array<double>::fromVector({2, 3}, {0.0, 1e4, 3.0, 0.0, 0.0, 0.0});
  run.probs = Array<double>::fromVector({2, 3}, {0.0, 1.0, 0.0, 1.0 / 3, 1.0 / 3, 1.0 / 3});
  fillFromLogits(run, RunContext());
  const Evaluation exact = evaluated(run);
  EXPECT_NEAR(exact.nll.value(), 0.5 * (9997.0 + std::log(3.0)), 1e-9);
  EXPECT_EQ(exact.nll_convention, "log-softmax of the logits");
  EXPECT_EQ(toJson(exact).at("nll_clamped"), 0);
  EXPECT_NEAR(run.log_rest->data()[0], -9997.0 + std::log1p(std::exp(-3.0)), 1e-9);

  run.logits.reset();
  const Evaluation clamped = evaluated(run);
  const double smallest = std::numeric_limits<double>::min();
  EXPECT_NEAR(clamped.nll.value(), 0.5 * (std::log(3.0) - std::log(smallest)), 1e-9);
  EXPECT_EQ(toJson(clamped).at("nll_clamped"), 1);
  const auto rows = toRows(clamped);
  const auto row = std::ranges::find(rows, "items clamped in the NLL", &MetricRow::name);
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->value, 1.0);
}

TEST(Evaluate, StopsWhenCancelled) {
  const dubito::Run run = test::randomRun(20, 3, 1.0, 9, true, false);
  RunContext context;
  context.control()->requestCancel();
  const Expected<Evaluation> result = evaluate(run, {}, {}, context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(makeOverview(run, {}, {}, context));
}

TEST(Evaluate, ReportsProgressToItsEnd) {
  const dubito::Run run = test::randomRun(20, 3, 1.0, 9, true, true);
  RunContext context;
  Progress last;
  context.on_progress = [&](const Progress& progress) {
    EXPECT_LE(progress.done, progress.total);
    last = progress;
  };
  ASSERT_TRUE(evaluate(run, {{"a", &run}, {"b", &run}}, {}, context));
  EXPECT_EQ(last.done, last.total);
}

}  // namespace
}  // namespace dubito
