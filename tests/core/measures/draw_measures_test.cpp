// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/draw_measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "core/measures/measures.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;
using Draws = std::vector<std::vector<std::vector<double>>>;

/// Softmax of logits [T, N, K].
Array<double> probsOf(const Draws& logits) {
  std::vector<double> flat;
  for (const auto& draw : logits) {
    for (const auto& row : draw) {
      const std::vector<double> probs = softmax(row);
      flat.insert(flat.end(), probs.begin(), probs.end());
    }
  }
  return Array<double>::fromVector(
      {static_cast<std::int64_t>(logits.size()), static_cast<std::int64_t>(logits.at(0).size()),
       static_cast<std::int64_t>(logits.at(0).at(0).size())},
      std::move(flat));
}

Array<float> narrowed(const Array<double>& wide) {
  return Array<float>::fromVector(wide.shape(),
                                  std::vector<float>(wide.values().begin(), wide.values().end()));
}

Array<double> randomProbs(std::int64_t draws, std::int64_t items, std::int64_t classes,
                          unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0.0, 4.0);
  Draws logits(static_cast<std::size_t>(draws));
  for (auto& draw : logits) {
    draw.assign(static_cast<std::size_t>(items),
                std::vector<double>(static_cast<std::size_t>(classes)));
    for (auto& row : draw) {
      for (double& logit : row) {
        logit = normal(random);
      }
    }
  }
  return probsOf(logits);
}

void expectSummary(const PredictiveSummary& summary, const nlohmann::json& vectors,
                   double tolerance, double absolute) {
  const std::int64_t items = summary.entropy.size();
  ASSERT_EQ(items, static_cast<std::int64_t>(vectors.at("predictive_entropy").size()));
  for (std::int64_t i = 0; i < items; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const auto compare = [&](const char* key, const Array<double>& actual) {
      EXPECT_TRUE(
          closeTo(actual.data()[i], vectors.at(key).at(index).get<double>(), tolerance, absolute))
          << key << " of item " << i;
    };
    compare("predictive_entropy", summary.entropy);
    compare("expected_entropy", summary.expected_entropy);
    compare("mutual_information", summary.mutual_information);
    compare("variation_ratio", summary.variation_ratio);
    double variance = 0.0;
    for (std::size_t k = 0; k < summary.mean_probs.row(i).size(); ++k) {
      EXPECT_TRUE(closeTo(summary.mean_probs.row(i)[k],
                          vectors.at("mean").at(index).at(k).get<double>(), tolerance, absolute))
          << "mean of item " << i;
      variance += vectors.at("variance").at(index).at(k).get<double>();
    }
    EXPECT_TRUE(closeTo(summary.variance.data()[i], variance, tolerance, absolute))
        << "variance of item " << i;
  }
}

TEST(PredictiveSummary, AgreesWithTheReferenceInBothPrecisions) {
  const nlohmann::json vectors = test::readVectors("measures");
  const Array<double> probs = probsOf(vectors.at("logits").get<Draws>());
  expectSummary(summariseDraws(probs, RunContext()), vectors, 1e-9, 1e-14);
  expectSummary(summariseDraws(narrowed(probs), RunContext()), vectors, 1e-5, 1e-6);
}

TEST(PredictiveSummary, ItsVariationRatioIsThatOfTheVotesAlone) {
  const Array<float> probs = narrowed(randomProbs(7, 3000, 4, 12));
  const Array<double> expected = summariseDraws(probs, RunContext()).variation_ratio;
  EXPECT_TRUE(std::ranges::equal(variationRatios(probs, RunContext()).values(), expected.values()));
}

TEST(PredictiveSummary, StaysInItsBounds) {
  const Array<double> probs = randomProbs(6, 500, 4, 11);
  const PredictiveSummary summary = summariseDraws(probs, RunContext());
  for (std::int64_t i = 0; i < 500; ++i) {
    const double entropy = summary.entropy.data()[i];
    const double information = summary.mutual_information.data()[i];
    EXPECT_GE(information, 0.0);
    EXPECT_LE(information, entropy);
    EXPECT_LE(entropy, std::log(4.0));
    EXPECT_GE(summary.variation_ratio.data()[i], 0.0);
    EXPECT_LE(summary.variation_ratio.data()[i], 1.0 - 1.0 / 4.0);
  }
}

TEST(PredictiveSummary, ASingleDrawHasNoEpistemicPart) {
  const PredictiveSummary summary = summariseDraws(randomProbs(1, 50, 5, 2), RunContext());
  for (std::int64_t i = 0; i < 50; ++i) {
    EXPECT_EQ(summary.mutual_information.data()[i], 0.0);
    EXPECT_EQ(summary.variation_ratio.data()[i], 0.0);
    EXPECT_EQ(summary.entropy.data()[i], summary.expected_entropy.data()[i]);
  }
}

TEST(PredictiveSummary, RoundingDoesNotMakeInformationNegative) {
  // Draws that are all equal: the two entropies differ by the rounding of the mean alone, either
  // way.
  constexpr std::int64_t kItems = 400;
  const Array<double> one = randomProbs(1, kItems, 5, 8);
  std::vector<double> values;
  for (int draw = 0; draw < 7; ++draw) {
    values.insert(values.end(), one.values().begin(), one.values().end());
  }
  const auto same = Array<double>::fromVector({7, kItems, 5}, std::move(values));
  const PredictiveSummary summary = summariseDraws(same, RunContext());
  for (std::int64_t i = 0; i < kItems; ++i) {
    EXPECT_GE(summary.mutual_information.data()[i], 0.0);
    EXPECT_LE(summary.mutual_information.data()[i], 1e-14);
  }
}

TEST(PredictiveSummary, DoesNotDependOnTheNumberOfThreads) {
  const Array<float> probs = narrowed(randomProbs(7, 4000, 10, 5));
  RunContext several;
  several.threads = 4;
  const PredictiveSummary alone = summariseDraws(probs, RunContext());
  const PredictiveSummary together = summariseDraws(probs, several);
  for (std::int64_t i = 0; i < 4000; ++i) {
    ASSERT_EQ(alone.entropy.data()[i], together.entropy.data()[i]);
    ASSERT_EQ(alone.mutual_information.data()[i], together.mutual_information.data()[i]);
  }
  EXPECT_GT(alone.entropy.data()[3999], 0.0);
}

TEST(PredictiveSummary, AcceptsNoItemsAndRefusesOtherShapes) {
  const RunContext context;
  EXPECT_EQ(summariseDraws(Array<float>::zeros({3, 0, 10}), context).entropy.size(), 0);
  EXPECT_THROW(static_cast<void>(summariseDraws(Array<float>::zeros({0, 2, 10}), context)),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(summariseDraws(Array<float>::zeros({2, 10}), context)),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(summariseDraws(Array<double>::zeros({2, 3, 0}), context)),
               std::invalid_argument);
}

TEST(PredictiveSummary, StopsWhenCancelled) {
  RunContext context;
  context.control()->requestCancel();
  const PredictiveSummary summary = summariseDraws(randomProbs(2, 20, 3, 1), context);
  EXPECT_EQ(summary.entropy.data()[19], 0.0);
}

}  // namespace
}  // namespace dubito
