// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/label_reasons.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "core/context/scene_model.h"
#include "tests/core/context/made_scenes.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

TEST(LabelReasons, OfTwoObjectsAreTheFormula) {
  std::mt19937_64 random(1);
  const PairScores scores = test::scoresOf(test::randomCounts(4, random), "pmi");
  const PairFactors factors = test::factorsOf(scores, 1.5);
  const Array<double> log_probs = test::randomLogProbs(2, 4, 2.0, random);
  const LabelReasons reasons = explainLabel(log_probs, 1, 0, 3, factors, {});
  EXPECT_EQ(reasons.from, 0);
  EXPECT_EQ(reasons.to, 3);
  EXPECT_NEAR(reasons.own, log_probs.row(1)[3] - log_probs.row(1)[0], 1e-14);
  // What the other object says: log sum_y p(y) exp(w C[y, k]).
  const auto said = [&](std::size_t k) {
    double sum = 0.0;
    for (std::size_t y = 0; y < 4; ++y) {
      sum +=
          std::exp(log_probs.row(0)[y] + 1.5 * scores.scores.row(static_cast<std::int64_t>(y))[k]);
    }
    return std::log(sum);
  };
  ASSERT_EQ(reasons.messages.size(), 2U);
  EXPECT_EQ(reasons.messages[1], 0.0);
  EXPECT_TRUE(test::closeTo(reasons.messages[0], said(3) - said(0), 1e-12, 1e-12));
  EXPECT_NEAR(reasons.loops, 0.0, 1e-12);
  EXPECT_NEAR(reasons.total, reasons.own + reasons.messages[0], 1e-12);
}

TEST(LabelReasons, AddUpToTheMarginals) {
  std::mt19937_64 random(2);
  const PairScores scores = test::scoresOf(test::randomCounts(4, random), "log");
  // Enumerated, then searched, then by belief propagation.
  std::set<SceneSolution> solutions;
  for (const auto& [objects, weight] :
       {std::pair(1, 0.5), {3, 0.5}, {6, 0.5}, {12, 0.5}, {12, 0.02}}) {
    const PairFactors factors = test::factorsOf(scores, weight);
    const Array<double> log_probs = test::randomLogProbs(objects, 4, 1.0, random);
    const ScenePairs pairs = everyPair(objects);
    const SceneMarginals marginals = sceneMarginals({log_probs, pairs, factors}, {});
    solutions.insert(marginals.solution);
    for (std::int64_t i = 0; i < objects; ++i) {
      const LabelReasons reasons = explainLabel(log_probs, i, 1, 2, factors, {});
      const double total = marginals.log_probs.row(i)[2] - marginals.log_probs.row(i)[1];
      EXPECT_NEAR(reasons.total, total, 1e-12);
      EXPECT_NEAR(reasons.own + reasons.loops +
                      std::accumulate(reasons.messages.begin(), reasons.messages.end(), 0.0),
                  total, 1e-10);
      // Where belief propagation gives the marginals, its messages explain all of them.
      if (marginals.solution == SceneSolution::kConverged) {
        EXPECT_NEAR(reasons.loops, 0.0, 1e-8) << objects;
      }
      EXPECT_EQ(reasons.messages[static_cast<std::size_t>(i)], 0.0);
    }
  }
  EXPECT_EQ(solutions.size(), 3U);
}

TEST(LabelReasons, AnObjectThatSupportsTheNewClassHasAPositiveMessage) {
  // Classes: fork, pen, plate. A plate makes a fork more likely than a pen.
  const PairScores scores = test::scoresOf(
      test::countsOf(Array<double>::fromVector({3, 3}, {5, 5, 80, 5, 5, 2, 80, 2, 5})), "pmi");
  const auto log_probs =
      Array<double>::fromVector({2, 3}, {std::log(0.4), std::log(0.55), std::log(0.05),
                                         std::log(0.02), std::log(0.03), std::log(0.95)});
  const PairFactors factors = test::factorsOf(scores, 1.0);
  const LabelReasons reasons = explainLabel(log_probs, 0, 1, 0, factors, {});
  EXPECT_LT(reasons.own, 0.0);
  EXPECT_GT(reasons.messages[1], 1.0);
  EXPECT_GT(reasons.total, 0.0);
}

}  // namespace
}  // namespace dubito
