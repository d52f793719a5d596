// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

#include "core/context/scene_model.h"
#include "tests/core/context/made_scenes.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::factorsOf;
using test::randomCounts;
using test::randomLogProbs;
using test::scoresOf;

/// Largest difference of two tables of log probabilities, as probabilities.
double largestDifference(const Array<double>& a, const Array<double>& b) {
  double largest = 0.0;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(std::exp(a.data()[i]) - std::exp(b.data()[i])));
  }
  return largest;
}

TEST(SceneSearch, DiffersFromEnumerationByNoMoreThanItSays) {
  std::mt19937_64 random(31);
  int cut = 0;
  for (const auto& [objects, classes] :
       {std::pair(2, 9), {3, 12}, {4, 9}, {5, 6}, {7, 4}, {9, 3}}) {
    for (const char* const measure : {"log", "pmi"}) {
      for (const double weight : {0.0, 0.2, 0.7, 2.0}) {
        SCOPED_TRACE(testing::Message() << objects << ' ' << measure << ' ' << weight);
        const PairFactors factors =
            factorsOf(scoresOf(randomCounts(classes, random), measure), weight);
        const Array<double> log_probs = randomLogProbs(objects, classes, 4.0, random);
        const ScenePairs pairs = everyPair(objects);
        const SceneModel model{log_probs, pairs, factors};
        const auto found = searchScene(model, {});
        ASSERT_TRUE(found);
        EXPECT_LE(found->left_out, 1e-3);
        EXPECT_LE(largestDifference(found->log_probs, enumerateScene(model).log_probs),
                  found->left_out + 1e-12);
        cut += found->left_out > 0.0 ? 1 : 0;
        for (std::int64_t i = 0; i < objects; ++i) {
          double sum = 0.0;
          for (const double log : found->log_probs.row(i)) {
            EXPECT_TRUE(std::isfinite(log));  // left out, but not impossible
            sum += std::exp(log);
          }
          EXPECT_NEAR(sum, 1.0, 1e-9);
        }
      }
    }
  }
  EXPECT_GT(cut, 20);
}

TEST(SceneSearch, SolvesScenesOfManyLabellingsWhoseObjectsAreSure) {
  // 40^6 labellings; without context, so that the marginals are known.
  std::mt19937_64 random(37);
  const PairFactors factors = factorsOf(scoresOf(randomCounts(40, random), "pmi"), 0.0);
  const Array<double> log_probs = randomLogProbs(6, 40, 8.0, random);
  const ScenePairs pairs = everyPair(6);
  const auto found = searchScene({log_probs, pairs, factors}, {});
  ASSERT_TRUE(found);
  EXPECT_LE(largestDifference(found->log_probs, log_probs), found->left_out + 1e-12);
}

TEST(SceneSearch, KeepsMaskedClassesImpossible) {
  std::mt19937_64 random(41);
  const PairFactors factors = factorsOf(scoresOf(randomCounts(5, random), "log"), 1.0);
  Array<double> log_probs = randomLogProbs(4, 5, 1.0, random);
  constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
  log_probs.mutableRow(0)[1] = kMinusInfinity;
  log_probs.mutableRow(3)[4] = kMinusInfinity;
  const ScenePairs pairs = everyPair(4);
  const auto found = searchScene({log_probs, pairs, factors}, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->log_probs.row(0)[1], kMinusInfinity);
  EXPECT_EQ(found->log_probs.row(3)[4], kMinusInfinity);
}

TEST(SceneSearch, GivesUpWhereItCannotKeepItsWord) {
  std::mt19937_64 random(43);
  const PairScores scores = scoresOf(randomCounts(6, random), "pmi");
  const PairFactors factors = factorsOf(scores, 0.5);
  const Array<double> log_probs = randomLogProbs(6, 6, 3.0, random);
  const ScenePairs all = everyPair(6);
  const auto found = searchScene({log_probs, all, factors}, {});
  ASSERT_TRUE(found);
  ASSERT_GT(found->left_out, 0.0);
  EXPECT_TRUE(searchScene({log_probs, all, factors}, {.tolerance = found->left_out * 1.01}));
  EXPECT_FALSE(searchScene({log_probs, all, factors}, {.tolerance = found->left_out * 0.99}));
  EXPECT_FALSE(searchScene({log_probs, all, factors}, {.steps = 100}));
  const ScenePairs chain = neighbourPairs(6);
  EXPECT_FALSE(searchScene({log_probs, chain, factors}, {}));
  // Products of factors beyond doubles.
  const PairFactors heavy = factorsOf(scores, scores.maxWeight());
  EXPECT_FALSE(searchScene({log_probs, all, heavy}, {}));
}

/// Marginals by Gibbs sampling: means of the probabilities of each object given all others.
Array<double> sampledMarginals(const SceneModel& model, int sweeps, std::mt19937_64& random) {
  const std::int64_t objects = model.log_probs.extent(0);
  const auto classes = static_cast<std::size_t>(model.log_probs.extent(1));
  auto sums = Array<double>::zeros(model.log_probs.shape());
  std::vector<std::int64_t> labels(static_cast<std::size_t>(objects));
  std::vector<double> probs(classes);
  const int burn_in = sweeps / 10;
  for (int sweep = -burn_in; sweep < sweeps; ++sweep) {
    for (std::int64_t i = 0; i < objects; ++i) {
      std::ranges::transform(model.log_probs.row(i), probs.begin(),
                             [](double log) { return std::exp(log); });
      for (std::int64_t j = 0; j < objects; ++j) {
        for (std::size_t k = 0; j != i && k < classes; ++k) {
          probs[k] *= model.factors.row(labels[static_cast<std::size_t>(j)])[k];
        }
      }
      std::discrete_distribution<std::int64_t> draw(probs.begin(), probs.end());
      labels[static_cast<std::size_t>(i)] = draw(random);
      const std::vector<double> normalised = draw.probabilities();
      for (std::size_t k = 0; sweep >= 0 && k < classes; ++k) {
        sums.mutableRow(i)[k] += normalised[k] / sweeps;
      }
    }
  }
  return sums;
}

TEST(SceneModel, LargeScenesAgreeWithGibbsSampling) {
  // 10^9 and 30^6 labellings, too many to enumerate. The standard error of a mean over 20 000
  // sweeps that mix within ten is below 0.5 * sqrt(10 / 20 000) = 0.011.
  std::mt19937_64 random(47);
  for (const auto& [objects, classes, scale, weight] :
       {std::tuple(9, 10, 2.0, 0.1), {9, 10, 4.0, 0.3}, {6, 30, 4.0, 0.3}}) {
    SCOPED_TRACE(testing::Message() << objects << ' ' << classes << ' ' << weight);
    const PairFactors factors = factorsOf(scoresOf(randomCounts(classes, random), "pmi"), weight);
    const Array<double> log_probs = randomLogProbs(objects, classes, scale, random);
    const ScenePairs pairs = everyPair(objects);
    const SceneModel model{log_probs, pairs, factors};
    const SceneMarginals marginals = sceneMarginals(model, {});
    EXPECT_NE(marginals.solution, SceneSolution::kEnumerated);
    EXPECT_NE(marginals.solution, SceneSolution::kNotConverged);
    const Array<double> sampled = sampledMarginals(model, 20'000, random);
    for (std::int64_t i = 0; i < sampled.size(); ++i) {
      EXPECT_NEAR(std::exp(marginals.log_probs.data()[i]), sampled.data()[i], 0.04);
    }
  }
}

}  // namespace
}  // namespace dubito
