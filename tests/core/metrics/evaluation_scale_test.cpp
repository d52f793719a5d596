// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <thread>

#include "core/io/run_file.h"
#include "core/metrics/evaluation.h"
#include "core/metrics/proper_scores.h"
#include "core/metrics/reliability_diagram.h"
#include "core/metrics/selective.h"
#include "tests/core/metrics/rank_reference.h"
#include "tests/support/close_to.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using test::closeTo;

/// A run that is quick to make: three classes, every 50th item without a label.
Run largeRun(std::int64_t items) {
  constexpr std::int64_t kClasses = 3;
  std::mt19937 random(12);
  std::uniform_real_distribution<float> uniform(0.34F, 1.0F);
  Run run;
  Array<float> probs = Array<float>::zeros({items, kClasses});
  for (Array<std::int64_t>* const array : {&run.ids, &run.labels, &run.predictions}) {
    *array = Array<std::int64_t>::zeros({items});
  }
  run.confidence = Array<double>::zeros({items});
  run.entropy = Array<double>::zeros({items});
  run.mutual_information = Array<double>::zeros({items});
  std::iota(run.ids.mutableData(), run.ids.mutableData() + items, std::int64_t{0});
  for (std::int64_t i = 0; i < items; ++i) {
    const float top = uniform(random);
    float* const row = probs.mutableData() + i * kClasses;
    const auto predicted = static_cast<std::int64_t>(random() % 3);
    std::fill_n(row, kClasses, 0.5F * (1.0F - top));
    row[predicted] = top;
    run.predictions.mutableData()[i] = predicted;
    run.labels.mutableData()[i] = i % 50 == 7             ? -1
                                  : uniform(random) < top ? predicted
                                                          : (predicted + 1) % kClasses;
    run.confidence.mutableData()[i] = double{top};
    run.entropy->mutableData()[i] = 1.0 - double{top} * double{top};
    run.mutual_information->mutableData()[i] = 0.01 * double{uniform(random)};
  }
  run.probs = probs;
  return run;
}

TEST(EvaluateLarge, DoesNotDependOnTheNumberOfThreads) {
  const dubito::Run run = largeRun(150'000);
  const dubito::Run ood = largeRun(70'000);
  const auto textOf = [&](int threads) {
    RunContext context;
    context.threads = threads;
    return toJson(evaluate(run, {{"other", &ood}}, {}, context).value()).dump();
  };
  const std::string alone = textOf(1);
  EXPECT_EQ(textOf(2), alone);
  EXPECT_EQ(textOf(5), alone);
}

double slowBrier(const Array<float>& probs, std::span<const std::int64_t> labels) {
  long double sum = 0.0;  // Plain sums of so many items would lose the digits compared here.
  double labelled = 0.0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = probs.row(static_cast<std::int64_t>(i));
    for (std::size_t k = 0; labels[i] >= 0 && k < row.size(); ++k) {
      const double gap = double{row[k]} - (static_cast<std::int64_t>(k) == labels[i] ? 1.0 : 0.0);
      sum += gap * gap;
    }
    labelled += labels[i] >= 0 ? 1.0 : 0.0;
  }
  return static_cast<double>(sum) / labelled;
}

TEST(EvaluateLarge, AgreesWithTheSingleFunctions) {
  const dubito::Run run = largeRun(100'000);
  RunContext context;
  context.threads = 2;
  const Evaluation evaluation = evaluate(run, {}, {}, context).value();
  std::vector<double> confidence;
  std::vector<double> entropy;
  std::vector<std::uint8_t> correct;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    if (run.labels.data()[i] >= 0) {
      confidence.push_back(run.confidence.data()[i]);
      entropy.push_back(-run.entropy->data()[i]);
      correct.push_back(run.labels.data()[i] == run.predictions.data()[i] ? 1 : 0);
    }
  }
  const auto& probs = std::get<Array<float>>(*run.probs);
  const auto labels = run.labels.values();
  EXPECT_EQ(evaluation.n, static_cast<std::int64_t>(correct.size()));
  EXPECT_EQ(*evaluation.accuracy, static_cast<double>(std::ranges::count(correct, 1)) /
                                      static_cast<double>(correct.size()));
  EXPECT_TRUE(closeTo(*evaluation.nll, negativeLogLikelihood(probs, labels), 1e-14));
  EXPECT_TRUE(closeTo(*evaluation.brier, slowBrier(probs, labels), 1e-14));
  EXPECT_TRUE(closeTo(*evaluation.ece, equalWidthReliability(confidence, correct, 15).ece, 1e-12));
  EXPECT_TRUE(closeTo(*evaluation.aece,
                      equalMassReliability(confidence, correct, 15, EqualMassTies::kKept).ece,
                      1e-12));
  EXPECT_TRUE(closeTo(evaluation.mmc, meanConfidence(run.confidence.values()), 1e-14));
  const ThresholdTable table = thresholdTable(entropy, correct);
  const SelectiveMetrics& metrics = evaluation.misclassified.at("entropy");
  EXPECT_EQ(metrics.rank.auroc, areaUnderRoc(table));
  EXPECT_EQ(metrics.rank.aupr, averagePrecision(table));
  EXPECT_EQ(metrics.rank.fpr95, test::fpr95Of(table));
  EXPECT_EQ(metrics.aurc, RiskCoverage(table).aurc());
  EXPECT_EQ(metrics.eaurc, RiskCoverage(table).excessAurc());
  EXPECT_EQ(metrics.augrc, RiskCoverage(table).augrc());
}

TEST(EvaluateLarge, ACancelEndsItBeforeTheNextStep) {
  const dubito::Run run = largeRun(1'000'000);
  RunContext context;
  context.threads = 2;
  int reports = 0;
  context.on_progress = [&](const Progress&) {
    ++reports;
    context.control()->requestCancel();
  };
  const Expected<Evaluation> result = evaluate(run, {{"itself", &run}}, {}, context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(reports, 1);
}

TEST(EvaluateLarge, ACancelAtAnyTimeEndsItAtTheNextStep) {
  const dubito::Run run = largeRun(1'000'000);
  for (const int delay_ms : {2, 10, 30, 60, 100}) {
    RunContext context;
    context.threads = 2;
    int reports_after = 0;
    context.on_progress = [&](const Progress&) {
      reports_after += context.cancelRequested() ? 1 : 0;
    };
    std::thread user([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
      context.control()->requestCancel();
    });
    const Expected<Evaluation> result = evaluate(run, {{"itself", &run}}, {}, context);
    user.join();
    EXPECT_LE(reports_after, 1) << "after " << delay_ms << " ms";
    if (!result) {
      EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
    }
  }
}

std::int64_t anonymousBytes() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with("RssAnon:")) {
      return std::stoll(line.substr(8)) * 1024;
    }
  }
  return 0;
}

TEST(EvaluateLarge, AMappedRunTakesLittleMemoryOfItsOwn) {
  DUBITO_NEEDS_NO_SANITIZER();
  if (anonymousBytes() == 0) {
    GTEST_SKIP() << "this system does not tell the anonymous memory of a process";
  }
  constexpr std::int64_t kItems = 500'000;
  const test::TempDir folder;
  const std::string path = folder.file("large.npz");
  {
    RunContext context;
    ASSERT_TRUE(writeRun(largeRun(kItems), path, context));
  }
  RunContext context;
  const Expected<dubito::Run> run = readRun(path, context);
  ASSERT_TRUE(run);
  const std::int64_t before = anonymousBytes();
  std::atomic<bool> ended{false};
  std::int64_t most = before;
  std::thread observer([&] {
    while (!ended) {
      most = std::max(most, anonymousBytes());
    }
  });
  const Expected<Evaluation> evaluation = evaluate(*run, {}, {}, context);
  ended = true;
  observer.join();
  ASSERT_TRUE(evaluation);
  EXPECT_GT(most, before) << "nothing was measured";
  EXPECT_LE(most - before, 40 * kItems);
}

}  // namespace
}  // namespace dubito
