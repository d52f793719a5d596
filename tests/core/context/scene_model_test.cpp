// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/scene_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "core/measures/measures.h"
#include "tests/core/context/made_scenes.h"
#include "tests/core/metrics/vector_sections.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;
using test::factorsOf;
using test::plainMarginals;
using test::randomCounts;
using test::randomLogProbs;
using test::scoresOf;

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// Largest difference between exp(log_probs) and probs.
double largestError(const Array<double>& log_probs, const Array<double>& probs) {
  double largest = 0.0;
  for (std::int64_t i = 0; i < probs.size(); ++i) {
    largest = std::max(largest, std::abs(std::exp(log_probs.data()[i]) - probs.data()[i]));
  }
  return largest;
}

void expectMarginals(const Array<double>& log_probs, const json& expected) {
  for (std::int64_t i = 0; i < log_probs.extent(0); ++i) {
    for (std::int64_t k = 0; k < log_probs.extent(1); ++k) {
      EXPECT_TRUE(closeTo(std::exp(log_probs.row(i)[static_cast<std::size_t>(k)]),
                          expected.at("marginals").at(i).at(k).get<double>(), 1e-9))
          << i << ' ' << k;
    }
  }
}

TEST(SceneModel, AgreesWithTheReferenceInEveryField) {
  const json vectors = test::readVectors("context");
  const Cooccurrence counts = test::countsOf(test::tableOf<double>(vectors.at("counts")));
  ASSERT_EQ(vectors.at("smoothing"), 1.0);
  for (const auto& [measure, key] : {std::pair("log", "log_cooccurrence"), {"pmi", "pmi"}}) {
    const PairScores scores = scoresOf(counts, measure);
    const Array<double> expected = test::tableOf<double>(vectors.at(key));
    for (std::int64_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(closeTo(scores.scores.data()[i], expected.data()[i], 1e-12, 1e-15)) << measure;
    }
  }
  int compared = 0;
  int trees = 0;
  for (const json& scene : vectors.at("scenes")) {
    SCOPED_TRACE(scene.at("log_probs").size());
    const Array<double> log_probs = test::tableOf<double>(scene.at("log_probs"));
    const std::int64_t objects = log_probs.extent(0);
    for (const auto& [key, measure, pairs] :
         {std::tuple("log_cooccurrence", "log", everyPair(objects)),
          {"pmi", "pmi", everyPair(objects)},
          {"chain_pmi", "pmi", neighbourPairs(objects)}}) {
      SCOPED_TRACE(key);
      const json& expected = scene.at(key);
      const PairFactors factors =
          factorsOf(scoresOf(counts, measure), scene.at("weight").get<double>());
      const SceneModel model{log_probs, pairs, factors};
      const SceneEnumeration all = enumerateScene(model);
      expectMarginals(all.log_probs, expected);
      EXPECT_TRUE(
          closeTo(all.log_partition, expected.at("log_partition").get<double>(), 1e-9, 1e-12));
      EXPECT_EQ(all.most_likely, expected.at("most_likely").get<std::vector<std::int64_t>>());
      expectMarginals(sceneMarginals(model, {}).log_probs, expected);
      const ScenePropagation beliefs = propagateBeliefs(model, {});
      if (beliefs.is_tree) {
        ++trees;
        expectMarginals(beliefs.log_probs, expected);
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, 12);
  EXPECT_EQ(trees, 8);  // all chains, and every scene of one or two objects
}

TEST(SceneModel, EnumerationIsThePlainSumOverRandomScenes) {
  std::mt19937_64 random(5);
  int scenes = 0;
  for (const auto& [objects, classes] :
       {std::pair(1, 4), {2, 2}, {2, 7}, {3, 5}, {4, 3}, {5, 4}, {9, 2}, {3, 1}}) {
    for (const char* measure : {"log", "pmi"}) {
      for (const double weight : {0.0, 0.3, 1.0, 4.0}) {
        SCOPED_TRACE(testing::Message() << objects << ' ' << classes << ' ' << weight);
        const PairScores scores = scoresOf(randomCounts(classes, random), measure);
        const Array<double> log_probs = randomLogProbs(objects, classes, 2.0, random);
        const PairFactors factors = factorsOf(scores, weight);
        const ScenePairs pairs = everyPair(objects);
        const SceneEnumeration all = enumerateScene({log_probs, pairs, factors});
        const auto plain = plainMarginals(log_probs, pairs, scores.scores, weight);
        EXPECT_LE(largestError(all.log_probs, plain.probs), 1e-12);
        EXPECT_TRUE(closeTo(all.log_partition, plain.log_partition, 1e-12, 1e-12));
        EXPECT_EQ(all.most_likely, plain.most_likely);
        for (std::int64_t i = 0; i < objects; ++i) {
          double sum = 0.0;
          for (const double log : all.log_probs.row(i)) {
            sum += std::exp(log);
          }
          EXPECT_NEAR(sum, 1.0, 1e-12);
        }
        ++scenes;
      }
    }
  }
  EXPECT_EQ(scenes, 64);
}

/// Pairs of a random tree, in random order.
ScenePairs randomTree(std::int64_t objects, std::mt19937_64& random) {
  ScenePairs pairs;
  for (std::int64_t j = 1; j < objects; ++j) {
    pairs.emplace_back(std::uniform_int_distribution<std::int64_t>(0, j - 1)(random), j);
  }
  std::ranges::shuffle(pairs, random);
  return pairs;
}

TEST(BeliefPropagation, IsExactOnTrees) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    const std::int64_t objects = 2 + trial % 7;
    const std::int64_t classes = 2 + trial % 3;
    const PairScores scores =
        scoresOf(randomCounts(classes, random), trial % 2 == 0 ? "log" : "pmi");
    const Array<double> log_probs = randomLogProbs(objects, classes, 2.0, random);
    const double weight = 0.25 * (trial % 9);
    const ScenePairs pairs = randomTree(objects, random);
    const PairFactors factors = factorsOf(scores, weight);
    const ScenePropagation beliefs = propagateBeliefs({log_probs, pairs, factors}, {});
    EXPECT_TRUE(beliefs.is_tree);
    EXPECT_TRUE(beliefs.converged);
    EXPECT_EQ(beliefs.iterations, objects - 1);
    const auto plain = plainMarginals(log_probs, pairs, scores.scores, weight);
    EXPECT_LE(largestError(beliefs.log_probs, plain.probs), 1e-12);
  }
}

TEST(BeliefPropagation, ALongChainIsSolvedExactlyWithoutEnumeration) {
  std::mt19937_64 random(3);
  const std::int64_t objects = 40;
  const PairScores scores = scoresOf(randomCounts(3, random), "pmi");
  const Array<double> log_probs = randomLogProbs(objects, 3, 2.0, random);
  const ScenePairs pairs = neighbourPairs(objects);
  const PairFactors factors = factorsOf(scores, 1.5);
  const SceneMarginals marginals = sceneMarginals({log_probs, pairs, factors}, {});
  EXPECT_EQ(marginals.solution, SceneSolution::kTree);
  EXPECT_EQ(marginals.residual, 0.0);
  // Forward and backward sums over the chain.
  std::vector<std::vector<double>> forward(static_cast<std::size_t>(objects),
                                           std::vector<double>(3));
  auto backward = forward;
  const auto psi = [&](std::size_t a, std::size_t b) {
    return std::exp(1.5 * scores.scores.row(static_cast<std::int64_t>(a))[b]);
  };
  for (std::int64_t i = 0; i < objects; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto mirrored = static_cast<std::size_t>(objects - 1 - i);
    for (std::size_t k = 0; k < 3; ++k) {
      forward[at][k] = i == 0 ? 1.0 : 0.0;
      backward[mirrored][k] = i == 0 ? 1.0 : 0.0;
      for (std::size_t a = 0; i > 0 && a < 3; ++a) {
        forward[at][k] += forward[at - 1][a] * std::exp(log_probs.row(i - 1)[a]) * psi(a, k);
        backward[mirrored][k] +=
            backward[mirrored + 1][a] * std::exp(log_probs.row(objects - i)[a]) * psi(a, k);
      }
    }
  }
  for (std::int64_t i = 0; i < objects; ++i) {
    const auto at = static_cast<std::size_t>(i);
    double total = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      total += forward[at][k] * backward[at][k] * std::exp(log_probs.row(i)[k]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(std::exp(marginals.log_probs.row(i)[k]),
                  forward[at][k] * backward[at][k] * std::exp(log_probs.row(i)[k]) / total, 1e-12)
          << i;
    }
  }
}

TEST(BeliefPropagation, HundredsOfMessagesLoseNoDigits) {
  // Half of the objects around say that the one in the centre is of class 0, the others 1. The
  // products of either half leave the range of doubles.
  std::mt19937_64 random(13);
  const std::int64_t objects = 301;
  auto counts = Array<double>::zeros({4, 4});
  for (std::int64_t k = 0; k < 4; ++k) {
    counts.mutableRow(k)[static_cast<std::size_t>(k)] = 1e6;
  }
  const PairFactors factors = factorsOf(scoresOf(test::countsOf(counts), "log"), 2.0);
  Array<double> log_probs = randomLogProbs(objects, 4, 0.1, random);
  for (std::int64_t j = 1; j < objects; ++j) {
    const std::span<double> row = log_probs.mutableRow(j);
    row[static_cast<std::size_t>(j % 2)] += 50.0;
    std::ranges::copy(logSoftmax(std::span<const double>(row)), row.begin());
  }
  ScenePairs star;
  std::vector<double> centre(log_probs.row(0).begin(), log_probs.row(0).end());
  for (std::int64_t j = 1; j < objects; ++j) {
    star.emplace_back(0, j);
    for (std::size_t k = 0; k < 4; ++k) {
      double said = 0.0;
      for (std::size_t a = 0; a < 4; ++a) {
        said += std::exp(log_probs.row(j)[a]) * factors.row(static_cast<std::int64_t>(a))[k];
      }
      centre[k] += std::log(said);
    }
  }
  const std::vector<double> expected = logSoftmax(std::span<const double>(centre));
  const ScenePropagation beliefs = propagateBeliefs({log_probs, star, factors}, {});
  ASSERT_TRUE(beliefs.is_tree);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_TRUE(closeTo(beliefs.log_probs.row(0)[k], expected[k], 1e-12, 1e-9)) << k;
  }
}

TEST(BeliefPropagation, LoopsCostWhatTheoryStates) {
  // Theory, section 10: over all pairs of 3 to 6 objects of 4 classes, the largest error of a
  // marginal in a scene; of all scenes, and of those in which belief propagation is trusted.
  struct Stated {
    double weight;
    double mean;
    double largest;
    int trusted;  ///< at least
    double trusted_mean;
    double trusted_largest;
  };
  for (const Stated& stated : {Stated{0.1, 0.001, 0.01, 350, 0.0006, 0.005},
                               {0.25, 0.011, 0.21, 200, 0.0015, 0.01},
                               {0.5, 0.04, 1.0, 100, 0.004, 0.26}}) {
    SCOPED_TRACE(stated.weight);
    std::mt19937_64 random(17);
    std::vector<double> all;
    std::vector<double> trusted;
    constexpr int kScenes = 400;
    for (int trial = 0; trial < kScenes; ++trial) {
      const std::int64_t objects = 3 + trial % 4;
      const PairScores scores = scoresOf(randomCounts(4, random), "pmi");
      const Array<double> log_probs = randomLogProbs(objects, 4, 2.0, random);
      const ScenePairs pairs = everyPair(objects);
      const PairFactors factors = factorsOf(scores, stated.weight);
      const ScenePropagation beliefs = propagateBeliefs({log_probs, pairs, factors}, {});
      ASSERT_TRUE(beliefs.converged) << trial;
      EXPECT_FALSE(beliefs.is_tree);
      EXPECT_LE(beliefs.residual, 1e-10);
      all.push_back(largestError(
          beliefs.log_probs, plainMarginals(log_probs, pairs, scores.scores, stated.weight).probs));
      if (isLikelyAccurate(beliefs, factors)) {
        trusted.push_back(all.back());
      }
    }
    const auto meanOf = [](const std::vector<double>& errors) {
      return std::accumulate(errors.begin(), errors.end(), 0.0) /
             static_cast<double>(errors.size());
    };
    EXPECT_LE(std::ranges::max(all), stated.largest);
    EXPECT_LE(meanOf(all), stated.mean);
    ASSERT_GE(std::ssize(trusted), stated.trusted);
    EXPECT_LE(std::ranges::max(trusted), stated.trusted_largest);
    EXPECT_LE(meanOf(trusted), stated.trusted_mean);
    // Not exact: a test that enumerates by mistake would pass everything above.
    EXPECT_GT(std::ranges::max(all), 1e-3);
  }
}

TEST(BeliefPropagation, DampingChangesTheWayAndNotTheResult) {
  std::mt19937_64 random(19);
  const PairScores scores = scoresOf(randomCounts(4, random), "pmi");
  const Array<double> log_probs = randomLogProbs(8, 4, 2.0, random);
  const PairFactors factors = factorsOf(scores, 0.2);
  const ScenePairs pairs = everyPair(8);
  ContextOptions options;
  options.damping = 0.0;
  const ScenePropagation undamped = propagateBeliefs({log_probs, pairs, factors}, options);
  ASSERT_TRUE(undamped.converged);
  std::int64_t iterations = undamped.iterations;
  for (const double damping : {0.3, 0.9}) {
    options.damping = damping;
    const ScenePropagation damped = propagateBeliefs({log_probs, pairs, factors}, options);
    ASSERT_TRUE(damped.converged) << damping;
    EXPECT_GT(damped.iterations, iterations);
    iterations = damped.iterations;
    for (std::int64_t i = 0; i < damped.log_probs.size(); ++i) {
      EXPECT_NEAR(damped.log_probs.data()[i], undamped.log_probs.data()[i], 1e-8) << damping;
    }
  }
}

TEST(BeliefPropagation, TellsWhenItDoesNotConverge) {
  std::mt19937_64 random(17);
  const PairScores scores = scoresOf(randomCounts(4, random), "pmi");
  // Too many objects that say too little for a search.
  const Array<double> log_probs = randomLogProbs(40, 4, 0.1, random);
  const PairFactors factors = factorsOf(scores, 1.0);
  const ScenePairs pairs = everyPair(40);
  ContextOptions options;
  options.iterations = 3;
  const ScenePropagation stopped = propagateBeliefs({log_probs, pairs, factors}, options);
  EXPECT_FALSE(stopped.converged);
  EXPECT_EQ(stopped.iterations, 3);
  EXPECT_GT(stopped.residual, options.tolerance);
  const SceneMarginals marginals = sceneMarginals({log_probs, pairs, factors}, options);
  EXPECT_EQ(marginals.solution, SceneSolution::kNotConverged);
  EXPECT_EQ(marginals.residual, stopped.residual);
}

TEST(SceneModel, EnumeratesUpToAMillionLabellingsAndSearchesWhereContextIsStrong) {
  std::mt19937_64 random(2);
  const PairScores scores = scoresOf(randomCounts(10, random), "pmi");
  for (const auto& [objects, weight, solution] : {std::tuple(6, 0.1, SceneSolution::kEnumerated),
                                                  {7, 0.01, SceneSolution::kConverged},
                                                  {7, 1.0, SceneSolution::kSearched},
                                                  {2, 1.0, SceneSolution::kEnumerated}}) {
    const PairFactors factors = factorsOf(scores, weight);
    const Array<double> log_probs = randomLogProbs(objects, 10, 2.0, random);
    const ScenePairs pairs = everyPair(objects);
    const SceneMarginals marginals = sceneMarginals({log_probs, pairs, factors}, {});
    EXPECT_EQ(marginals.solution, solution) << objects;
  }
}

TEST(SceneModel, TheOrderOfTheObjectsDoesNotMatter) {
  std::mt19937_64 random(23);
  for (const std::int64_t objects : {5, 9}) {  // enumerated, propagated
    const PairScores scores = scoresOf(randomCounts(6, random), "pmi");
    const PairFactors factors = factorsOf(scores, 0.4);
    const ScenePairs pairs = everyPair(objects);
    const Array<double> log_probs = randomLogProbs(objects, 6, 2.0, random);
    const SceneMarginals marginals = sceneMarginals({log_probs, pairs, factors}, {});
    std::vector<std::int64_t> order(static_cast<std::size_t>(objects));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random);
    auto shuffled = Array<double>::zeros(log_probs.shape());
    for (std::int64_t i = 0; i < objects; ++i) {
      std::ranges::copy(log_probs.row(order[static_cast<std::size_t>(i)]),
                        shuffled.mutableRow(i).begin());
    }
    const SceneMarginals again = sceneMarginals({shuffled, pairs, factors}, {});
    for (std::int64_t i = 0; i < objects; ++i) {
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_NEAR(again.log_probs.row(i)[k],
                    marginals.log_probs.row(order[static_cast<std::size_t>(i)])[k], 1e-11);
      }
    }
  }
}

TEST(SceneModel, MaskedClassesStayImpossible) {
  std::mt19937_64 random(29);
  for (const std::int64_t objects : {1, 3, 13}) {
    const PairScores scores = scoresOf(randomCounts(3, random), "log");
    const PairFactors factors = factorsOf(scores, 1.0);
    Array<double> log_probs = randomLogProbs(objects, 3, 1.0, random);
    log_probs.mutableRow(0)[1] = kMinusInfinity;
    log_probs.mutableRow(objects - 1)[2] = kMinusInfinity;
    const ScenePairs pairs = everyPair(objects);
    const SceneMarginals marginals = sceneMarginals({log_probs, pairs, factors}, {});
    EXPECT_EQ(marginals.log_probs.row(0)[1], kMinusInfinity);
    EXPECT_EQ(marginals.log_probs.row(objects - 1)[2], kMinusInfinity);
    for (std::int64_t i = 0; i < objects; ++i) {
      double sum = 0.0;
      for (const double log : marginals.log_probs.row(i)) {
        sum += std::exp(log);
      }
      EXPECT_NEAR(sum, 1.0, 1e-12) << objects << ' ' << i;
    }
  }
}

TEST(SceneModel, ContradictionsFarApartLoseNoDigits) {
  // Objects that are sure of classes which are hardly ever together: every labelling is improbable.
  auto counts = Array<double>::zeros({3, 3});
  counts.mutableRow(0)[0] = 1e12;
  counts.mutableRow(1)[1] = 1e12;
  counts.mutableRow(2)[2] = 1.0;
  const PairScores scores = scoresOf(test::countsOf(counts), "log");
  const auto log_probs = Array<double>::fromVector(
      {4, 3}, {0.0, -300.0, -80.0, -300.0, 0.0, -90.0, -290.0, -10.0, 0.0, -5.0, -250.0, 0.0});
  for (const double weight : {1.0, 8.0}) {
    const ScenePairs pairs = everyPair(4);
    const PairFactors factors = factorsOf(scores, weight);
    const SceneEnumeration all = enumerateScene({log_probs, pairs, factors});
    const auto plain = plainMarginals(log_probs, pairs, scores.scores, weight);
    EXPECT_LE(largestError(all.log_probs, plain.probs), 1e-9) << weight;
    EXPECT_TRUE(closeTo(all.log_partition, plain.log_partition, 1e-12)) << weight;
  }
}

}  // namespace
}  // namespace dubito
