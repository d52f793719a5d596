// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/context_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "core/context/label_changes.h"
#include "core/context/scene_model.h"
#include "core/context/scene_solver.h"
#include "core/io/calibration_transfer.h"
#include "core/io/csv.h"
#include "core/io/run_file.h"
#include "core/measures/draw_measures.h"
#include "tests/core/context/made_scenes.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;

constexpr std::int64_t kItems = 60;
constexpr std::int64_t kClasses = 5;

PairScores someScores(const char* measure = "pmi") {
  std::mt19937_64 random(8);
  return test::scoresOf(test::randomCounts(kClasses, random), measure);
}

/// Three items of four share a scene; the fourth is without one.
Scenes threeOfFour(std::int64_t items = kItems) {
  std::vector<std::string> names;
  for (std::int64_t row = 0; row < items; ++row) {
    names.push_back(row % 4 == 3 ? "" : "scene " + std::to_string(row / 4));
  }
  return scenesByName(names, "scenes.csv");
}

ContextRun contextOf(const dubito::Run& run, const Scenes& scenes, const PairScores& scores,
                     double weight, int threads = 1) {
  RunContext context;
  context.threads = threads;
  ContextOptions options;
  options.measure = "pmi";
  options.weight = weight;
  const auto result = withContext(run, scenes, scores, options,
                                  {.run = "test.npz", .cooccurrence = "counts.csv"}, context);
  EXPECT_OK(result);
  return *result;
}

/// A run with draws whose mean are its probabilities.
Run runWithDraws(std::int64_t draws) {
  dubito::Run run = test::randomRun(kItems, kClasses, 2.0, 4, true, false);
  std::mt19937_64 random(6);
  auto samples = Array<float>::zeros({draws, kItems, kClasses});
  for (std::int64_t t = 0; t < draws; ++t) {
    const Array<double> logs = test::randomLogProbs(kItems, kClasses, 2.0, random);
    std::ranges::transform(logs.values(), samples.mutableRow(t).begin(),
                           [](double log) { return static_cast<float>(std::exp(log)); });
  }
  RunContext context;
  const PredictiveSummary summary = summariseDraws(samples, context);
  auto probs = Array<float>::zeros({kItems, kClasses});
  std::ranges::transform(summary.mean_probs.values(), probs.mutableData(),
                         [](double prob) { return static_cast<float>(prob); });
  run.probs = probs;
  run.samples = samples;
  run.predictions = summary.predictions;
  run.confidence = summary.confidence;
  run.log_rest = summary.log_rest;
  run.entropy = summary.entropy;
  run.expected_entropy = summary.expected_entropy;
  run.mutual_information = summary.mutual_information;
  run.variation_ratio = summary.variation_ratio;
  run.variance = summary.variance;
  return run;
}

bool equal(const Array<double>& a, const Array<double>& b) {
  return std::ranges::equal(a.values(), b.values());
}

TEST(ContextRun, HasTheMarginalsOfEachScene) {
  const dubito::Run run = test::randomRun(kItems, kClasses, 2.0, 4, true, false);
  const PairScores scores = someScores();
  const Scenes scenes = threeOfFour();
  const ContextRun result = contextOf(run, scenes, scores, 0.8);
  const auto& probs = std::get<Array<float>>(*result.run.probs);
  for (const auto& members : scenes.members) {
    auto log_probs = Array<double>::zeros({std::ssize(members), kClasses});
    for (std::int64_t i = 0; i < std::ssize(members); ++i) {
      for (std::int64_t k = 0; k < kClasses; ++k) {
        log_probs.mutableRow(i)[static_cast<std::size_t>(k)] =
            std::log(run.prob(members[static_cast<std::size_t>(i)], k));
      }
    }
    const auto plain =
        test::plainMarginals(log_probs, everyPair(std::ssize(members)), scores.scores, 0.8);
    for (std::int64_t i = 0; i < std::ssize(members); ++i) {
      const std::int64_t row = members[static_cast<std::size_t>(i)];
      const std::span<const double> expected = plain.probs.row(i);
      double entropy = 0.0;
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_TRUE(closeTo(probs.row(row)[k], expected[k], 1e-6));
        entropy -= expected[k] * std::log(expected[k]);
      }
      const auto largest = std::ranges::max_element(expected);
      EXPECT_EQ(result.run.predictions.data()[row], largest - expected.begin());
      EXPECT_TRUE(closeTo(result.run.confidence.data()[row], *largest, 1e-9));
      EXPECT_TRUE(closeTo(result.run.log_rest->data()[row], std::log1p(-*largest), 1e-9));
      EXPECT_TRUE(closeTo(result.run.entropy->data()[row], entropy, 1e-9));
    }
  }
  EXPECT_EQ(result.report.scenes, 15);
  EXPECT_EQ(result.report.items, 45);
  EXPECT_EQ(result.report.alone, 15);
  EXPECT_EQ(result.report.exact, 15);
  EXPECT_EQ(result.report.not_converged, 0);
  EXPECT_GT(result.report.changed_labels, 0);
  EXPECT_FALSE(result.run.logits);
}

TEST(ContextRun, ItemsAloneKeepTheirRows) {
  for (const dubito::Run& run :
       {test::randomRun(kItems, kClasses, 2.0, 4, true, true), runWithDraws(3)}) {
    const ContextRun result = contextOf(run, threeOfFour(), someScores(), 0.8);
    for (std::int64_t row = 3; row < kItems; row += 4) {
      EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*result.run.probs).row(row),
                                     std::get<Array<float>>(*run.probs).row(row)));
      EXPECT_EQ(result.run.predictions.data()[row], run.predictions.data()[row]);
      EXPECT_EQ(result.run.confidence.data()[row], run.confidence.data()[row]);
      EXPECT_EQ(result.run.entropy->data()[row], run.entropy->data()[row]);
    }
  }
}

TEST(ContextRun, WeightZeroAndScenesOfOneReturnTheInput) {
  const dubito::Run run = runWithDraws(3);
  const PairScores scores = someScores();
  for (const auto& [scenes, weight] :
       {std::pair(threeOfFour(), 0.0), {test::scenesOfSize(kItems, 1), 0.8}}) {
    const ContextRun result = contextOf(run, scenes, scores, weight);
    EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*result.run.probs).values(),
                                   std::get<Array<float>>(*run.probs).values()));
    EXPECT_TRUE(std::ranges::equal(result.run.samples->values(), run.samples->values()));
    EXPECT_TRUE(equal(*result.run.entropy, *run.entropy));
    EXPECT_TRUE(equal(*result.run.mutual_information, *run.mutual_information));
    EXPECT_TRUE(equal(*result.run.log_rest, *run.log_rest));
    EXPECT_EQ(result.report.changed_labels, 0);
    EXPECT_EQ(result.run.meta.method, "context");
  }
}

TEST(ContextRun, ChangesEachDraw) {
  const dubito::Run run = runWithDraws(4);
  const PairScores scores = someScores();
  const Scenes scenes = threeOfFour();
  const ContextRun result = contextOf(run, scenes, scores, 0.8);
  ASSERT_EQ(result.run.drawCount(), 4);
  for (std::int64_t t = 0; t < 4; ++t) {
    dubito::Run of_draw = run;
    of_draw.samples.reset();
    of_draw.probs = run.samples->slice(t, t + 1).reshaped({kItems, kClasses});
    const ContextRun alone = contextOf(of_draw, scenes, scores, 0.8);
    EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*alone.run.probs).values(),
                                   result.run.samples->row(t)));
  }
  RunContext context;
  const PredictiveSummary expected = summariseDraws(*result.run.samples, context);
  for (std::int64_t row = 0; row < kItems; ++row) {
    EXPECT_TRUE(closeTo(result.run.entropy->data()[row], expected.entropy.data()[row], 1e-9));
    EXPECT_NEAR(result.run.mutual_information->data()[row], expected.mutual_information.data()[row],
                1e-9);
    EXPECT_NEAR(result.run.expected_entropy->data()[row], expected.expected_entropy.data()[row],
                1e-9);
    EXPECT_NEAR(result.run.variance->data()[row], expected.variance.data()[row], 1e-9);
    EXPECT_EQ(result.run.variation_ratio->data()[row], expected.variation_ratio.data()[row]);
    EXPECT_EQ(result.run.predictions.data()[row], expected.predictions.data()[row]);
  }
  EXPECT_THAT(json(textsOf(result.run.meta.notes)).dump(), HasSubstr("applied to each draw"));
}

TEST(ContextRun, WithoutDrawsSaysThatThePartsAreGone) {
  const dubito::Run run = test::randomRun(kItems, kClasses, 2.0, 4, true, true);
  ASSERT_TRUE(run.mutual_information);
  const ContextRun result = contextOf(run, threeOfFour(), someScores(), 0.8);
  EXPECT_FALSE(result.run.mutual_information);
  EXPECT_THAT(json(textsOf(result.run.meta.notes)).dump(), HasSubstr("stores no draws"));
}

TEST(ContextRun, TakesLogitsWhereProbabilitiesAreTheirSoftmax) {
  // Two items whose probabilities round to 0 and 1, but not their logits.
  dubito::Run run =
      test::runOf(Array<float>::fromVector({2, 2}, {1.0F, 0.0F, 0.0F, 1.0F}), {0, 1}, "two");
  run.logits = Array<double>::fromVector({2, 2}, {200.0, 0.0, 0.0, 150.0});
  const PairScores scores = test::scoresOf(
      test::countsOf(Array<double>::fromVector({2, 2}, {1e12, 0.0, 0.0, 1e12})), "log");
  RunContext context;
  ContextOptions options;
  options.weight = 8.0;
  const auto result = withContext(run, test::scenesOfSize(2, 2), scores, options, {}, context);
  ASSERT_OK(result);
  EXPECT_EQ(result->run.predictions.data()[1], 0);
  EXPECT_EQ(result->report.changed_labels, 1);
  // The first item is surer: item 2 follows it. log odds = 150 nats against 8 log(1e12) = 221.
  EXPECT_NEAR(result->run.log_rest->data()[1], -50.0, 1e-6);
}

TEST(ContextRun, DoesNotDependOnTheNumberOfThreads) {
  // Scenes of nine: by belief propagation where it needs few steps, else by a search.
  const dubito::Run run = test::randomRun(540, kClasses, 2.0, 4, true, false);
  const Scenes scenes = test::scenesOfSize(540, 9);
  const ContextRun one = contextOf(run, scenes, someScores(), 0.3, 1);
  EXPECT_GT(one.report.converged, 0);
  EXPECT_GT(one.report.searched, 0);
  EXPECT_EQ(one.report.converged + one.report.searched, 60);
  EXPECT_GT(one.report.largest_left_out, 0.0);
  EXPECT_GT(one.report.largest_residual, 0.0);
  for (const int threads : {2, 5}) {
    const ContextRun several = contextOf(run, scenes, someScores(), 0.3, threads);
    EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*several.run.probs).values(),
                                   std::get<Array<float>>(*one.run.probs).values()));
    EXPECT_TRUE(equal(*several.run.entropy, *one.run.entropy));
    EXPECT_EQ(several.report.largest_residual, one.report.largest_residual);
    EXPECT_EQ(several.report.largest_left_out, one.report.largest_left_out);
  }
}

TEST(ContextRun, CountsAndNamesScenesThatDoNotConverge) {
  // Too large for a search.
  const dubito::Run run = test::randomRun(140, kClasses, 0.1, 4, true, false);
  RunContext context;
  ContextOptions options;
  options.iterations = 2;
  const auto result =
      withContext(run, test::scenesOfSize(140, 20), someScores(), options, {}, context);
  ASSERT_OK(result);
  EXPECT_EQ(result->report.not_converged, 7);
  EXPECT_EQ(result->report.converged, 0);
  EXPECT_EQ(result->report.searched, 0);
  EXPECT_GT(result->report.largest_residual, options.tolerance);
  ASSERT_EQ(result->report.unsettled.size(), 7U);
  EXPECT_EQ(result->report.unsettled.front().residual, result->report.largest_residual);
  EXPECT_TRUE(std::ranges::is_sorted(result->report.unsettled, std::greater<>(),
                                     &UnsettledScene::residual));
  std::set<std::string> names;
  for (const UnsettledScene& scene : result->report.unsettled) {
    names.insert(scene.name);
  }
  EXPECT_EQ(names.size(), 7U);
  EXPECT_TRUE(names.contains("scene 6"));
  EXPECT_THAT(json(textsOf(result->run.meta.notes)).dump(),
              HasSubstr("did not converge in 7 of 7 scenes"));
  EXPECT_THAT(json(textsOf(result->run.meta.notes)).dump(),
              HasSubstr("'" + result->report.unsettled.front().name + "'"));
  EXPECT_THAT(json(textsOf(result->run.meta.notes)).dump(), HasSubstr("and 2 more"));
}

TEST(ContextRun, RecordsHowItWasMade) {
  dubito::Run run = runWithDraws(2);
  run.meta.method = "mc-dropout";
  run.meta.method_options = R"({"draws":2})";
  run.meta.class_names = {"a", "b", "c", "d", "e"};
  const ContextRun result = contextOf(run, threeOfFour(), someScores(), 0.8);
  EXPECT_EQ(result.run.meta.method, "context");
  EXPECT_EQ(result.run.meta.class_names, run.meta.class_names);
  EXPECT_TRUE(std::ranges::equal(result.run.ids.values(), run.ids.values()));
  EXPECT_TRUE(std::ranges::equal(result.run.labels.values(), run.labels.values()));
  const json options = json::parse(result.run.meta.method_options);
  EXPECT_EQ(options.at("of"), json::parse(R"({"method":"mc-dropout","options":{"draws":2}})"));
  EXPECT_EQ(options.at("measure"), "pmi");
  EXPECT_EQ(options.at("weight"), 0.8);
  EXPECT_EQ(options.at("weight_from"), "by hand");
  EXPECT_EQ(options.at("cooccurrence"), "counts.csv");
  EXPECT_EQ(options.at("inference").at("run"), "test.npz");
  EXPECT_EQ(options.at("inference").at("scenes_from"), "scenes.csv");
  EXPECT_EQ(options.at("inference").at("scenes"), 15);
  EXPECT_EQ(options.at("inference").at("alone"), 15);
  EXPECT_EQ(options.at("inference").at("largest_scene"), 3);

  // As any run.
  const test::TempDir folder;
  RunContext context;
  ASSERT_OK(writeRun(result.run, folder.file("context.npz"), context));
  const auto read = readRun(folder.file("context.npz"), context);
  ASSERT_OK(read);
  EXPECT_EQ(read->meta.method, "context");

  // Other scenes, the same method; another weight, another one.
  const ContextRun other = contextOf(run, test::scenesOfSize(kItems, 2), someScores(), 0.8);
  EXPECT_TRUE(calibrationTransfers(result.run.meta, other.run.meta));
  const ContextRun weaker = contextOf(run, threeOfFour(), someScores(), 0.7);
  EXPECT_FALSE(calibrationTransfers(result.run.meta, weaker.run.meta));
}

TEST(ContextRun, RefusesWhatItCannotUse) {
  const dubito::Run run = test::randomRun(kItems, kClasses, 2.0, 4, true, false);
  RunContext context;
  const auto none = withContext(test::confidenceOnly(run), threeOfFour(), someScores(), {},
                                {.run = "confidences.csv"}, context);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("confidences.csv"));
  ContextOptions heavy;
  heavy.weight = 1e5;
  EXPECT_FALSE(withContext(run, threeOfFour(), someScores(), heavy, {}, context));
  // A scene whose messages do not fit into memory.
  context.memory_budget_bytes = 200'000;
  const auto large =
      withContext(run, test::scenesOfSize(kItems, kItems), someScores(), {}, {}, context);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(large.error().message, HasSubstr("'scene 0' has 60 items of 5 classes"));
  EXPECT_THAT(large.error().remedy.settings, testing::ElementsAre(setting("memory")));
  context.memory_budget_bytes = 0;
  context.control()->requestCancel();
  const auto cancelled = withContext(run, threeOfFour(), someScores(), {}, {}, context);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
}

TEST(ContextRun, SolvesAsManyScenesAtATimeAsFitIntoMemory) {
  const Scenes scenes = test::scenesOfSize(kItems, 12);
  const double of_scene = propagationBytes(12, kClasses);
  RunContext context;
  context.threads = 8;
  const auto threadsWith = [&](double budget) {
    context.memory_budget_bytes = static_cast<std::int64_t>(budget);
    return threadsForScenes(scenes, kClasses, context);
  };
  EXPECT_EQ(threadsWith(0.5 * of_scene), 1);
  EXPECT_EQ(threadsWith(2.5 * of_scene), 2);
  EXPECT_EQ(threadsWith(1e6 * of_scene), 8);
  const dubito::Run run = test::randomRun(kItems, kClasses, 2.0, 4, true, false);
  context.memory_budget_bytes = static_cast<std::int64_t>(1.5 * of_scene);
  EXPECT_TRUE(withContext(run, scenes, someScores(), {}, {}, context));
}

TEST(LabelChanges, ListEveryOtherItemOfChangedItems) {
  dubito::Run run = test::randomRun(kItems, kClasses, 2.0, 4, true, false);
  run.meta.class_names = {"a", "b", "c", "d", "e, f"};
  const PairScores scores = someScores();
  const Scenes scenes = threeOfFour();
  const ContextRun result = contextOf(run, scenes, scores, 0.8);
  const test::TempDir folder;
  RunContext context;
  ContextOptions options;
  options.weight = 0.8;
  ASSERT_OK(writeLabelChanges(folder.file("changes.csv"), run, result.run, scenes, scores, options,
                              context));
  auto reader = CsvReader::open(folder.file("changes.csv"));
  ASSERT_OK(reader);
  EXPECT_EQ(reader->header().size(), 12U);
  std::int64_t lines = 0;
  std::vector<std::string_view> fields;
  double sum = 0.0;
  while (*reader->next(fields)) {
    const std::int64_t row = *parseInteger(fields[0]) - run.ids.data()[0];
    EXPECT_EQ(fields[1],
              scenes.names[static_cast<std::size_t>(scenes.of_row[static_cast<std::size_t>(row)])]);
    EXPECT_EQ(fields[3], run.className(run.predictions.data()[row]));
    EXPECT_EQ(fields[4], run.className(result.run.predictions.data()[row]));
    const std::int64_t other = *parseInteger(fields[8]) - run.ids.data()[0];
    EXPECT_NE(other, row);
    EXPECT_EQ(other / 4, row / 4);
    EXPECT_GT(*parseNumber(fields[5]), 0.0);  // the new class wins
    EXPECT_LT(*parseNumber(fields[6]), 0.0);  // the item alone says otherwise
    sum += *parseNumber(fields[11]);
    if (lines % 2 == 1) {
      EXPECT_NEAR(sum, *parseNumber(fields[5]) - *parseNumber(fields[6]) - *parseNumber(fields[7]),
                  1e-9);
      sum = 0.0;
    }
    ++lines;
  }
  EXPECT_EQ(lines, 2 * result.report.changed_labels);
}

}  // namespace
}  // namespace dubito
