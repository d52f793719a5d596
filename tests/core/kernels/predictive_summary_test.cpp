// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/predictive_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <utility>

#include "core/measures/measures.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;

Array<float> randomLogits(std::int64_t draws, std::int64_t items, std::int64_t classes, float scale,
                          unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.0F, scale);
  Array<float> logits = Array<float>::zeros({draws, items, classes});
  std::generate_n(logits.mutableData(), logits.size(), [&] { return normal(random); });
  return logits;
}

Array<double> softmaxOf(const Array<float>& logits) {
  Array<double> probs = Array<double>::zeros(logits.shape());
  const std::int64_t classes = logits.extent(2);
  for (std::int64_t row = 0; row < logits.extent(0) * logits.extent(1); ++row) {
    const std::vector<double> values = softmax(
        std::span<const float>(logits.data() + row * classes, static_cast<std::size_t>(classes)));
    std::copy(values.begin(), values.end(), probs.mutableData() + row * classes);
  }
  return probs;
}

Array<float> narrowed(const Array<double>& wide) {
  return Array<float>::fromVector(wide.shape(),
                                  std::vector<float>(wide.values().begin(), wide.values().end()));
}

std::vector<std::pair<const char*, const Array<double>*>> allOf(const PredictiveSummary& summary) {
  return {{"mean_probs", &summary.mean_probs},
          {"entropy", &summary.entropy},
          {"expected_entropy", &summary.expected_entropy},
          {"mutual_information", &summary.mutual_information},
          {"variation_ratio", &summary.variation_ratio},
          {"variance", &summary.variance},
          {"confidence", &summary.confidence},
          {"log_rest", &summary.log_rest}};
}

/// The plain version computes in double too; its own entropies carry the rounding of 1.
void expectSame(const PredictiveSummary& actual, const PredictiveSummary& expected) {
  const auto all_actual = allOf(actual);
  const auto all_expected = allOf(expected);
  EXPECT_TRUE(std::ranges::equal(actual.predictions.values(), expected.predictions.values()));
  for (std::size_t a = 0; a < all_actual.size(); ++a) {
    ASSERT_EQ(all_actual[a].second->shape(), all_expected[a].second->shape());
    for (std::int64_t i = 0; i < all_actual[a].second->size(); ++i) {
      ASSERT_TRUE(
          closeTo(all_actual[a].second->data()[i], all_expected[a].second->data()[i], 1e-11, 2e-15))
          << all_actual[a].first << " " << i;
    }
  }
}

void expectIdentical(const PredictiveSummary& actual, const PredictiveSummary& expected) {
  const auto all_actual = allOf(actual);
  const auto all_expected = allOf(expected);
  for (std::size_t a = 0; a < all_actual.size(); ++a) {
    EXPECT_TRUE(
        std::ranges::equal(all_actual[a].second->values(), all_expected[a].second->values()))
        << all_actual[a].first;
  }
}

TEST(PredictiveSummaryKernel, AgreesWithThePlainVersion) {
  for (const std::int64_t classes : {1, 2, 3, 4, 5, 10, 17, 1000}) {
    for (const std::int64_t draws : {1, 2, 7, 20, 33}) {
      const std::int64_t items = classes == 1000 ? 19 : 101;
      const Array<float> logits = randomLogits(draws, items, classes, 3.0F, 17);
      SCOPED_TRACE(testing::Message() << draws << " draws of " << classes << " classes");
      const Array<double> probs = softmaxOf(logits);
      if (classes > 1) {  // of a single class nothing is left, and the draws' sums say 1e-17
        expectSame(summariseLogits(logits, RunContext()), summariseDraws(probs, RunContext()));
      }
      expectSame(summariseLogits(logits, RunContext()),
                 summariseDrawsOfLogits(logits, RunContext()));
      const Array<float> narrow = narrowed(probs);
      expectSame(summariseProbs(narrow, RunContext()), summariseDraws(narrow, RunContext()));
    }
  }
}

TEST(PredictiveSummaryKernel, AgreesWithTheReference) {
  const nlohmann::json vectors = test::readVectors("measures");
  std::vector<double> wide;
  for (const auto& draw : vectors.at("logits")) {
    for (const auto& row : draw) {
      for (const auto& logit : row) {
        wide.push_back(logit.get<double>());
      }
    }
  }
  const auto draws = static_cast<std::int64_t>(vectors.at("logits").size());
  const auto items = static_cast<std::int64_t>(vectors.at("logits").at(0).size());
  const auto classes = static_cast<std::int64_t>(vectors.at("logits").at(0).at(0).size());
  const auto logits = Array<float>::fromVector({draws, items, classes},
                                               std::vector<float>(wide.begin(), wide.end()));
  const PredictiveSummary summary = summariseLogits(logits, RunContext());
  for (const auto& [key, array] : std::vector<std::pair<const char*, const Array<double>*>>{
           {"predictive_entropy", &summary.entropy},
           {"expected_entropy", &summary.expected_entropy},
           {"mutual_information", &summary.mutual_information},
           {"variation_ratio", &summary.variation_ratio}}) {
    for (std::int64_t i = 0; i < items; ++i) {
      EXPECT_TRUE(closeTo(array->data()[i],
                          vectors.at(key).at(static_cast<std::size_t>(i)).get<double>(), 1e-5,
                          1e-9))
          << key << i;
    }
  }
}

TEST(PredictiveSummaryKernel, HugeGapsAndShiftsAreExact) {
  // p = (1/2, 1/2) twice, then certainty, then the same far from 0.
  const auto logits = Array<float>::fromVector(
      {2, 3, 2}, {0.0F, 0.0F, 500.0F, 0.0F, 1e6F, 1e6F, 0.0F, 0.0F, 0.0F, -500.0F, 0.0F, 500.0F});
  const PredictiveSummary summary = summariseLogits(logits, RunContext());
  EXPECT_DOUBLE_EQ(summary.entropy.data()[0], std::log(2.0));
  EXPECT_EQ(summary.mutual_information.data()[0], 0.0);
  EXPECT_EQ(summary.confidence.data()[1], 1.0);
  EXPECT_TRUE(closeTo(summary.entropy.data()[1], 501.0 * std::exp(-500.0), 1e-12));
  EXPECT_TRUE(closeTo(summary.mean_probs.data()[2 * 2 + 1], 0.75, 1e-15));
  EXPECT_EQ(summary.variation_ratio.data()[2], 0.5);
  // Draws (1/2, 1/2) and (0, 1): the variance of (1/2, 1) is 1/16, for either class.
  EXPECT_TRUE(closeTo(summary.variance.data()[2], 0.125, 1e-15));
  EXPECT_TRUE(closeTo(summary.expected_entropy.data()[2], 0.5 * std::log(2.0), 1e-15));
}

TEST(PredictiveSummaryKernel, KeepsTheDigitsOfConfidentItems) {
  // Two classes, p of the second 1e-6 and 3e-6: to second order in p,
  // H(p) = p (1 - log p) - p^2 / 2, and the mutual information is H(mean) - mean H.
  const auto entropyOfSmall = [](double p) { return p * (1.0 - std::log(p)) - 0.5 * p * p; };
  const auto logit = [](double p) { return static_cast<float>(std::log(p) - std::log1p(-p)); };
  const float low = logit(1e-6);
  const float high = logit(3e-6);
  const auto logits = Array<float>::fromVector({2, 1, 2}, {0.0F, low, 0.0F, high});
  const PredictiveSummary summary = summariseLogits(logits, RunContext());
  // The logits as stored.
  const double p0 = 1.0 / (1.0 + std::exp(-double{low}));
  const double p1 = 1.0 / (1.0 + std::exp(-double{high}));
  const double mean = 0.5 * (p0 + p1);
  const double information = entropyOfSmall(mean) - 0.5 * (entropyOfSmall(p0) + entropyOfSmall(p1));
  EXPECT_TRUE(closeTo(summary.entropy.data()[0], entropyOfSmall(mean), 1e-11));
  EXPECT_TRUE(closeTo(summary.mutual_information.data()[0], information, 1e-10));
  EXPECT_LT(information, 1e-6);
  EXPECT_TRUE(closeTo(summary.variance.data()[0], 0.5 * (p1 - p0) * (p1 - p0), 1e-9));
}

TEST(PredictiveSummaryKernel, KnowsWhatIsLeftOfACertainClass) {
  // Gaps within float32, within double, beyond both, in one draw and in all.
  for (const std::int64_t draws : {1, 2, 5}) {
    for (const std::int64_t classes : {2, 3, 10}) {
      const std::int64_t items = 40;
      Array<float> logits = randomLogits(draws, items, classes, 1.0F, 3);
      for (std::int64_t t = 0; t < draws; ++t) {
        for (std::int64_t i = 0; i < items; ++i) {
          const float gap = std::pow(1.3F, static_cast<float>(i)) + static_cast<float>(t);
          logits.mutableData()[(t * items + i) * classes] += gap;
        }
      }
      const PredictiveSummary summary = summariseLogits(logits, RunContext());
      const PredictiveSummary plain = summariseDrawsOfLogits(logits, RunContext());
      for (std::int64_t i = 0; i < items; ++i) {
        // Plainly, in the logarithms of long doubles: the mean of 1 - p of the likeliest class.
        long double sum = 0.0L;
        long double shift = -1e9L;
        std::vector<long double> rests;
        for (std::int64_t t = 0; t < draws; ++t) {
          const float* const row = logits.data() + (t * items + i) * classes;
          const auto predicted = static_cast<std::size_t>(summary.predictions.data()[i]);
          long double second = -1e9L;
          for (std::size_t k = 0; k < static_cast<std::size_t>(classes); ++k) {
            second = k == predicted ? second : std::max(second, static_cast<long double>(row[k]));
          }
          long double others = 0.0L;
          for (std::size_t k = 0; k < static_cast<std::size_t>(classes); ++k) {
            others += k == predicted ? 0.0L : std::exp(static_cast<long double>(row[k]) - second);
          }
          const long double log_others = second + std::log(others);
          const long double gap = static_cast<long double>(row[predicted]) - log_others;
          rests.push_back(gap > 0.0L ? -gap - std::log1p(std::exp(-gap))
                                     : -std::log1p(std::exp(gap)));
          shift = std::max(shift, rests.back());
        }
        for (const long double rest : rests) {
          sum += std::exp(rest - shift);
        }
        const auto expected =
            static_cast<double>(shift + std::log(sum / static_cast<long double>(draws)));
        EXPECT_TRUE(closeTo(summary.log_rest.data()[i], expected, 1e-12, 1e-12)) << i;
        EXPECT_TRUE(closeTo(plain.log_rest.data()[i], expected, 1e-12, 1e-12)) << i;
      }
    }
  }
}

TEST(PredictiveSummaryKernel, TakesDrawsThatLieApart) {
  const Array<float> logits = randomLogits(3, 21, 7, 3.0F, 12);
  const PredictiveSummary together = summariseLogits(logits, RunContext());
  std::vector<std::vector<float>> rows;
  std::vector<const float*> draws;
  for (std::int64_t t = 0; t < 3; ++t) {
    rows.emplace_back(logits.row(t).begin(), logits.row(t).end());
  }
  for (const std::vector<float>& row : rows) {
    draws.push_back(row.data());
  }
  expectIdentical(summariseLogits({draws, 21, 7}, {}, RunContext()), together);
  EXPECT_THROW(static_cast<void>(summariseLogits({{}, 21, 7}, {}, RunContext())),
               std::invalid_argument);
}

TEST(PredictiveSummaryKernel, StaysInItsBoundsWhateverTheScale) {
  for (const float scale : {1e-6F, 0.1F, 10.0F, 1e4F}) {
    const std::int64_t classes = 7;
    const PredictiveSummary summary =
        summariseLogits(randomLogits(6, 333, classes, scale, 3), RunContext());
    for (std::int64_t i = 0; i < 333; ++i) {
      const auto row = summary.mean_probs.row(i);
      EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-13);
      EXPECT_EQ(summary.confidence.data()[i], *std::max_element(row.begin(), row.end()));
      const double entropy = summary.entropy.data()[i];
      const double information = summary.mutual_information.data()[i];
      EXPECT_GE(information, 0.0);
      EXPECT_LE(information, entropy);
      EXPECT_LE(entropy, std::log(7.0));
      EXPECT_GE(summary.variation_ratio.data()[i], 0.0);
      EXPECT_LE(summary.variation_ratio.data()[i], 1.0 - 1.0 / 6.0);
      EXPECT_GE(summary.variance.data()[i], 0.0);
      EXPECT_LE(summary.variance.data()[i], 1.0 - 1.0 / 7.0 + 1e-15);
    }
  }
}

TEST(PredictiveSummaryKernel, ManyDrawsOverManyClassesDoNotOverflow) {
  // The entropies are sums of logarithms; as one product, 1000 to the power of 300 has no double.
  const Array<float> logits = Array<float>::zeros({300, 1, 1000});
  const PredictiveSummary summary = summariseLogits(logits, RunContext());
  EXPECT_TRUE(closeTo(summary.entropy.data()[0], std::log(1000.0), 1e-12, 0.0));
  EXPECT_TRUE(closeTo(summary.expected_entropy.data()[0], std::log(1000.0), 1e-12, 0.0));
  EXPECT_LE(summary.mutual_information.data()[0], 1e-11);
}

TEST(PredictiveSummaryKernel, TheOrderOfDrawsDoesNotMatter) {
  const Array<float> logits = randomLogits(9, 50, 10, 3.0F, 8);
  Array<float> turned = Array<float>::zeros(logits.shape());
  for (std::int64_t t = 0; t < 9; ++t) {
    std::ranges::copy(logits.row(t), turned.mutableRow(8 - t).begin());
  }
  expectSame(summariseLogits(turned, RunContext()), summariseLogits(logits, RunContext()));
}

TEST(PredictiveSummaryKernel, DoesNotDependOnThreadsOrOnTheOtherItems) {
  const Array<float> logits = randomLogits(20, 5003, 10, 4.0F, 5);
  RunContext several;
  several.threads = 4;
  const PredictiveSummary alone = summariseLogits(logits, RunContext());
  expectIdentical(summariseLogits(logits, several), alone);
  expectIdentical(summariseProbs(narrowed(softmaxOf(logits)), several),
                  summariseProbs(narrowed(softmaxOf(logits)), RunContext()));
  // The same items in calls of their own, at other places in the tile.
  for (const std::int64_t begin : {0, 1, 7, 4990}) {
    const std::int64_t count = 13;
    Array<float> part = Array<float>::zeros({20, count, 10});
    for (std::int64_t t = 0; t < 20; ++t) {
      const auto from = logits.row(t).subspan(static_cast<std::size_t>(begin * 10),
                                              static_cast<std::size_t>(count * 10));
      std::ranges::copy(from, part.mutableRow(t).begin());
    }
    const PredictiveSummary of_part = summariseLogits(part, RunContext());
    for (std::int64_t i = 0; i < count; ++i) {
      EXPECT_EQ(of_part.entropy.data()[i], alone.entropy.data()[begin + i]);
      EXPECT_EQ(of_part.mutual_information.data()[i], alone.mutual_information.data()[begin + i]);
      EXPECT_TRUE(std::ranges::equal(of_part.mean_probs.row(i), alone.mean_probs.row(begin + i)));
    }
  }
}

TEST(PredictiveSummaryKernel, GivesTheProbabilitiesOfTheDraws) {
  for (const std::int64_t draws : {1, 4, 5}) {
    const Array<float> logits = randomLogits(draws, 37, 10, 4.0F, 6);
    Array<float> probs;
    const PredictiveSummary with = summariseLogits(logits, RunContext(), &probs);
    expectIdentical(with, summariseLogits(logits, RunContext()));
    const Array<float> expected = narrowed(softmaxOf(logits));
    ASSERT_EQ(probs.shape(), logits.shape());
    for (std::int64_t i = 0; i < probs.size(); ++i) {
      ASSERT_TRUE(closeTo(double{probs.data()[i]}, double{expected.data()[i]}, 1.2e-7)) << i;
    }
  }
}

TEST(PredictiveSummaryKernel, ASingleDrawHasNoEpistemicPart) {
  const PredictiveSummary summary = summariseLogits(randomLogits(1, 40, 5, 2.0F, 2), RunContext());
  for (std::int64_t i = 0; i < 40; ++i) {
    EXPECT_EQ(summary.mutual_information.data()[i], 0.0);
    EXPECT_EQ(summary.entropy.data()[i], summary.expected_entropy.data()[i]);
    EXPECT_EQ(summary.variation_ratio.data()[i], 0.0);
    EXPECT_EQ(summary.variance.data()[i], 0.0);
  }
}

TEST(PredictiveSummaryKernel, WhatIsNotFiniteShowsInItsItemAlone) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Array<float> logits = randomLogits(3, 20, 4, 1.0F, 4);
  logits.mutableData()[(1 * 20 + 5) * 4 + 2] = std::numeric_limits<float>::quiet_NaN();
  logits.mutableData()[(2 * 20 + 6) * 4] = kInfinity;
  std::fill_n(logits.mutableData() + (0 * 20 + 7) * 4, 4, -kInfinity);
  for (const PredictiveSummary& summary :
       {summariseLogits(logits, RunContext()), summariseDrawsOfLogits(logits, RunContext())}) {
    for (std::int64_t i = 0; i < 20; ++i) {
      EXPECT_EQ(std::isnan(summary.entropy.data()[i]), i >= 5 && i <= 7) << i;
      EXPECT_EQ(std::isnan(summary.mutual_information.data()[i]), i >= 5 && i <= 7) << i;
    }
  }
}

TEST(PredictiveSummaryKernel, MaskedClassesHaveProbabilityZeroAndNoShareInTheEntropy) {
  constexpr std::int64_t kItems = 20;
  const Array<float> four = randomLogits(3, kItems, 4, 1.0F, 4);
  Array<float> masked = Array<float>::zeros({3, kItems, 5});
  for (std::int64_t row = 0; row < 3 * kItems; ++row) {
    const float* const from = four.data() + 4 * row;
    float* const to = masked.mutableData() + 5 * row;
    std::copy_n(from, 2, to);
    to[2] = -std::numeric_limits<float>::infinity();
    std::copy_n(from + 2, 2, to + 3);
  }
  const RunContext context;
  const PredictiveSummary expected = summariseDrawsOfLogits(four, context);
  for (const PredictiveSummary& summary :
       {summariseLogits(masked, context), summariseDrawsOfLogits(masked, context)}) {
    for (std::int64_t i = 0; i < kItems; ++i) {
      EXPECT_NEAR(summary.entropy.data()[i], expected.entropy.data()[i], 1e-13);
      EXPECT_NEAR(summary.expected_entropy.data()[i], expected.expected_entropy.data()[i], 1e-13);
      EXPECT_NEAR(summary.log_rest.data()[i], expected.log_rest.data()[i], 1e-13);
      EXPECT_EQ(summary.mean_probs.row(i)[2], 0.0);
      EXPECT_NEAR(summary.mean_probs.row(i)[4], expected.mean_probs.row(i)[3], 1e-15);
    }
  }
}

TEST(PredictiveSummaryKernel, AcceptsNoItemsAndRefusesOtherShapes) {
  const RunContext context;
  EXPECT_EQ(summariseLogits(Array<float>::zeros({3, 0, 10}), context).entropy.size(), 0);
  for (const std::vector<std::int64_t>& shape :
       std::vector<std::vector<std::int64_t>>{{0, 2, 10}, {2, 10}, {2, 3, 0}}) {
    const Array<float> input = Array<float>::zeros(shape);
    EXPECT_THROW(static_cast<void>(summariseLogits(input, context)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(summariseProbs(input, context)), std::invalid_argument);
  }
}

TEST(PredictiveSummaryKernel, StopsWhenCancelled) {
  RunContext context;
  context.control()->requestCancel();
  EXPECT_EQ(summariseLogits(randomLogits(2, 20, 3, 1.0F, 1), context).entropy.data()[19], 0.0);
}

}  // namespace
}  // namespace dubito
