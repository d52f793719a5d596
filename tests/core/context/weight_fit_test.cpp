// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/weight_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/context/context_run.h"
#include "core/metrics/proper_scores.h"
#include "tests/core/context/made_scenes.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;

constexpr std::int64_t kClasses = 4;

/// Log probabilities of a noisy reading: 2 nats for the class, plus normal noise.
std::vector<float> noisyProbs(std::int64_t label, double noise, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0.0, noise);
  std::vector<double> powers;
  double sum = 0.0;
  for (std::int64_t k = 0; k < kClasses; ++k) {
    powers.push_back(std::exp((k == label ? 1.5 : 0.0) + normal(random)));
    sum += powers.back();
  }
  std::vector<float> probs;
  for (const double power : powers) {
    probs.push_back(static_cast<float>(power / sum));
  }
  return probs;
}

/// Scenes of two objects whose classes are drawn from the counts to the power `truth`.
Run runOfPairs(const Array<double>& counts, double truth, std::int64_t scenes, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> weights;
  for (const double count : counts.values()) {
    weights.push_back(std::pow(count + 1.0, truth));
  }
  std::discrete_distribution<std::int64_t> pair(weights.begin(), weights.end());
  std::vector<std::int64_t> labels;
  std::vector<float> probs;
  for (std::int64_t s = 0; s < scenes; ++s) {
    const std::int64_t drawn = pair(random);
    for (const std::int64_t label : {drawn / kClasses, drawn % kClasses}) {
      labels.push_back(label);
      const std::vector<float> row = noisyProbs(label, 1.0, random);
      probs.insert(probs.end(), row.begin(), row.end());
    }
  }
  return test::runOf(Array<float>::fromVector({2 * scenes, kClasses}, std::move(probs)), labels,
                     "pairs");
}

Cooccurrence clearCounts() {
  return test::countsOf(Array<double>::fromVector(
      {kClasses, kClasses}, {400, 20, 5, 5, 20, 300, 5, 5, 5, 5, 20, 500, 5, 5, 500, 20}));
}

WeightFit fitOf(const dubito::Run& run, const Scenes& scenes, const PairScores& scores) {
  RunContext context;
  const auto fit = fitContextWeight(run, "calibration.npz", scenes, scores, {}, context);
  EXPECT_OK(fit);
  return fit.value_or(WeightFit());
}

double nllAt(const dubito::Run& run, const Scenes& scenes, const PairScores& scores,
             double weight) {
  RunContext context;
  ContextOptions options;
  options.weight = weight;
  const auto result = withContext(run, scenes, scores, options, {}, context);
  EXPECT_OK(result);
  return negativeLogLikelihood(std::get<Array<float>>(*result->run.probs), run.labels.values());
}

TEST(WeightFit, IsTheBestOfAllWeights) {
  const PairScores scores = test::scoresOf(clearCounts(), "pmi");
  for (const double truth : {0.3, 0.7, 1.0}) {
    SCOPED_TRACE(truth);
    const dubito::Run run = runOfPairs(clearCounts().counts, truth, 400, 3);
    const Scenes scenes = test::scenesOfSize(800, 2);
    const WeightFit fit = fitOf(run, scenes, scores);
    EXPECT_EQ(fit.limit, WeightLimit::kInside);
    EXPECT_EQ(fit.items, 800);
    EXPECT_EQ(fit.in_company, 800);
    EXPECT_TRUE(closeTo(fit.nll_before, nllAt(run, scenes, scores, 0.0), 1e-6));
    EXPECT_TRUE(closeTo(fit.nll_after, nllAt(run, scenes, scores, fit.weight), 1e-6));
    EXPECT_LT(fit.nll_after, fit.nll_before);
    for (const double factor : {0.1, 0.5, 0.9, 0.97, 1.03, 1.1, 2.0, 5.0}) {
      EXPECT_GT(nllAt(run, scenes, scores, fit.weight * factor), fit.nll_after) << factor;
    }
    EXPECT_THAT(describe(fit), HasSubstr("fitted on 800 items"));
    EXPECT_THAT(describe(fit), Not(HasSubstr("clamped")));
  }
}

TEST(WeightFit, FindsTheWeightOfTheScenes) {
  // Classes of pairs are drawn from the counts themselves: in log probabilities of noisy readings
  // that are calibrated, the joint frequency counts once, and the class frequency not at all.
  const PairScores scores = test::scoresOf(clearCounts(), "pmi");
  const dubito::Run run = runOfPairs(clearCounts().counts, 1.0, 4000, 5);
  const WeightFit fit = fitOf(run, test::scenesOfSize(8000, 2), scores);
  EXPECT_GT(fit.weight, 0.7);
  EXPECT_LT(fit.weight, 1.4);
}

TEST(WeightFit, IsZeroWhereScenesMislead) {
  const PairScores scores = test::scoresOf(clearCounts(), "pmi");
  // Pairs that the counts say are rare.
  const dubito::Run run = runOfPairs(clearCounts().counts, -1.0, 400, 3);
  const WeightFit fit = fitOf(run, test::scenesOfSize(800, 2), scores);
  EXPECT_EQ(fit.weight, 0.0);
  EXPECT_EQ(fit.limit, WeightLimit::kNone);
  EXPECT_EQ(fit.nll_after, fit.nll_before);
  EXPECT_THAT(describe(fit), HasSubstr("clamped"));
}

TEST(WeightFit, IsClampedWhereScenesAreEverything) {
  // Two classes that are always together with themselves, and readings that are mostly wrong but
  // right together.
  auto counts = Array<double>::fromVector({2, 2}, {10.0, 8.0, 8.0, 10.0});
  std::vector<float> probs;
  std::vector<std::int64_t> labels;
  for (int s = 0; s < 50; ++s) {
    const std::int64_t label = s % 2;
    const float right = 0.9F;
    for (int i = 0; i < 3; ++i) {
      const float of_label = i == 2 ? 0.45F : right;
      probs.push_back(label == 0 ? of_label : 1.0F - of_label);
      probs.push_back(label == 0 ? 1.0F - of_label : of_label);
      labels.push_back(label);
    }
  }
  const dubito::Run run = test::runOf(Array<float>::fromVector({150, 2}, probs), labels, "three");
  const WeightFit fit =
      fitOf(run, test::scenesOfSize(150, 3), test::scoresOf(test::countsOf(counts), "pmi"));
  EXPECT_EQ(fit.limit, WeightLimit::kLargest);
  EXPECT_EQ(fit.weight, kLargestContextWeight);
  EXPECT_THAT(describe(fit), HasSubstr("clamped at the largest weight"));
}

TEST(WeightFit, UnlabelledItemsAreCompanyAndCountNothing) {
  const PairScores scores = test::scoresOf(clearCounts(), "pmi");
  dubito::Run run = runOfPairs(clearCounts().counts, 1.0, 400, 3);
  for (std::int64_t row = 1; row < run.itemCount(); row += 2) {
    run.labels.mutableData()[row] = -1;
  }
  const WeightFit fit = fitOf(run, test::scenesOfSize(800, 2), scores);
  EXPECT_EQ(fit.items, 400);
  EXPECT_EQ(fit.in_company, 400);
  EXPECT_GT(fit.weight, 0.3);
}

TEST(WeightFit, OfDrawsIsAboutTheirMean) {
  const PairScores scores = test::scoresOf(clearCounts(), "pmi");
  dubito::Run run = runOfPairs(clearCounts().counts, 1.0, 100, 3);
  const Array<float>& probs = std::get<Array<float>>(*run.probs);
  // Two draws: the items as they are, and the items as unsure as can be.
  std::vector<float> draws(probs.values().begin(), probs.values().end());
  draws.resize(2 * draws.size(), 1.0F / kClasses);
  std::vector<float> mean;
  for (const float prob : probs.values()) {
    mean.push_back(0.5F * (prob + 1.0F / kClasses));
  }
  run.samples = Array<float>::fromVector({2, 200, kClasses}, std::move(draws));
  run.probs = Array<float>::fromVector({200, kClasses}, std::move(mean));
  const Scenes scenes = test::scenesOfSize(200, 2);
  const WeightFit fit = fitOf(run, scenes, scores);
  EXPECT_TRUE(closeTo(fit.nll_before, nllAt(run, scenes, scores, 0.0), 1e-6));
  EXPECT_TRUE(closeTo(fit.nll_after, nllAt(run, scenes, scores, fit.weight), 1e-6));
  EXPECT_GT(nllAt(run, scenes, scores, fit.weight * 1.05), fit.nll_after);
  EXPECT_GT(nllAt(run, scenes, scores, fit.weight * 0.95), fit.nll_after);
}

TEST(WeightFit, RefusesWhatTeachesNothing) {
  const PairScores scores = test::scoresOf(clearCounts(), "pmi");
  dubito::Run run = runOfPairs(clearCounts().counts, 1.0, 20, 3);
  RunContext context;
  const auto alone = fitContextWeight(run, "c.npz", test::scenesOfSize(40, 1), scores, {}, context);
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error().message, HasSubstr("c.npz: no labelled item shares a scene"));
  EXPECT_THAT(alone.error().remedy.settings, testing::ElementsAre(setting("weight")));
  std::ranges::fill(run.labels.mutableValues(), -1);
  EXPECT_FALSE(fitContextWeight(run, "c.npz", test::scenesOfSize(40, 2), scores, {}, context));
}

TEST(WeightFit, CanBeCancelled) {
  const PairScores scores = test::scoresOf(clearCounts(), "pmi");
  const dubito::Run run = runOfPairs(clearCounts().counts, 1.0, 20, 3);
  RunContext context;
  context.control()->requestCancel();
  const auto fit = fitContextWeight(run, "c.npz", test::scenesOfSize(40, 2), scores, {}, context);
  ASSERT_FALSE(fit);
  EXPECT_EQ(fit.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
