// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/held_out_trials.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/train/head/fit_head.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

constexpr std::int64_t kInputs = 4;
constexpr std::int64_t kLabels = 3;

/// Items of three classes that overlap, with features of the size `scale`.
HeadItems overlappingItems(std::int64_t count, float scale, std::uint32_t state = 11) {
  HeadItems items{.classes = kLabels};
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t label = (i * 7 + i / 5) % kLabels;
    for (std::int64_t q = 0; q < kInputs; ++q) {
      state = state * 1664525U + 1013904223U;
      const float noise = static_cast<float>(state >> 8) / static_cast<float>(1U << 24) - 0.5F;
      values.push_back(scale * ((q == label ? 1.0F : 0.0F) + 1.6F * noise + 5.0F));
    }
    items.train.labels.push_back(label);
    items.ids.push_back(100 + 3 * i);
  }
  items.train.features = Array<float>::fromVector({count, kInputs}, std::move(values));
  return items;
}

TEST(HeldOutParts, SpreadEveryClassEvenlyWhateverTheOrder) {
  const HeadItems items = overlappingItems(53, 1.0F);
  const auto parts = heldOutParts(items.train.labels, items.ids, 5, 3);
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    ++counts[{items.train.labels[i], parts[i]}];
  }
  for (std::int64_t label = 0; label < kLabels; ++label) {
    const auto all = std::ranges::count(items.train.labels, label);
    for (std::int64_t part = 0; part < 5; ++part) {
      EXPECT_NEAR(static_cast<double>(counts[std::pair(label, part)]),
                  static_cast<double>(all) / 5.0, 1.0);
    }
  }
  std::vector<std::int64_t> labels(items.train.labels.rbegin(), items.train.labels.rend());
  const std::vector<std::int64_t> ids(items.ids.rbegin(), items.ids.rend());
  auto reversed = heldOutParts(labels, ids, 5, 3);
  std::ranges::reverse(reversed);
  EXPECT_EQ(reversed, parts);
  EXPECT_NE(heldOutParts(items.train.labels, items.ids, 5, 4), parts);
}

TEST(HeldOutTrials, AreFitsOfTheOtherPartsWithTheSamePrior) {
  const HeadItems items = overlappingItems(31, 1.0F);
  const auto part_of = heldOutParts(items.train.labels, items.ids, 4, 0);
  const SoftmaxRegressionOptions options{.classes = kLabels};
  RunContext context;
  const auto trials =
      heldOutTrials(items.train, part_of, 4, std::vector{0.5, 0.02}, options, context);
  ASSERT_OK(trials);
  ASSERT_EQ(trials->size(), 2U);
  for (const HeldOutTrial& trial : *trials) {
    for (std::int64_t part = 0; part < 4; ++part) {
      // Fitted anew, judged by the validation quality of the regression itself.
      LabelledFeatures sides[2];
      std::vector<float> values[2];
      double loss = 0.0;
      double right = 0.0;
      for (std::size_t i = 0; i < part_of.size(); ++i) {
        const std::size_t side = part_of[i] == part ? 1 : 0;
        const auto row = items.train.features.row(static_cast<std::int64_t>(i));
        values[side].insert(values[side].end(), row.begin(), row.end());
        sides[side].labels.push_back(items.train.labels[i]);
        loss += side == 1 ? trial.loss[i] : 0.0;
        right += side == 1 ? trial.is_right[i] : 0.0;
      }
      for (std::size_t side = 0; side < 2; ++side) {
        sides[side].features =
            Array<float>::fromVector({sides[side].size(), kInputs}, std::move(values[side]));
      }
      SoftmaxRegressionOptions of_part = options;
      of_part.l2 = trial.l2 * 31.0 / static_cast<double>(sides[0].size());
      const auto fitted = fitSoftmaxRegression(sides[0], {}, of_part, context);
      ASSERT_OK(fitted);
      double expected_loss = 0.0;
      double expected_right = 0.0;
      for (std::int64_t i = 0; i < sides[1].size(); ++i) {
        std::vector<double> logits;
        for (std::int64_t k = 0; k < kLabels; ++k) {
          double logit = fitted->head.bias[static_cast<std::size_t>(k)];
          for (std::int64_t q = 0; q < kInputs; ++q) {
            logit += fitted->head.weight.row(k)[static_cast<std::size_t>(q)] *
                     double{sides[1].features.row(i)[static_cast<std::size_t>(q)]};
          }
          logits.push_back(logit);
        }
        double sum = 0.0;
        for (const double logit : logits) {
          sum += std::exp(logit);
        }
        const std::int64_t label = sides[1].labels[static_cast<std::size_t>(i)];
        expected_loss += std::log(sum) - logits[static_cast<std::size_t>(label)];
        expected_right += std::ranges::max_element(logits) - logits.begin() == label ? 1.0 : 0.0;
      }
      EXPECT_NEAR(loss, expected_loss, 1e-9);
      EXPECT_EQ(right, expected_right);
    }
  }
}

TEST(HeldOutTrials, APartIsJudgedWithThePenaltyThatIsBestForTheOthers) {
  // Two parts; the first penalty is best for part 0, the second for part 1.
  const std::vector<std::int64_t> part_of{0, 0, 1, 1};
  const std::vector<HeldOutTrial> trials{
      {.l2 = 1.0, .loss = {0.1, 0.1, 2.0, 2.0}, .is_right = {1, 1, 0, 0}},
      {.l2 = 0.1, .loss = {1.0, 1.0, 0.2, 0.2}, .is_right = {0, 1, 1, 1}}};
  EXPECT_EQ(bestTrial(trials, part_of), 1U);
  EXPECT_EQ(bestTrial(trials, part_of, 0), 1U);
  EXPECT_EQ(bestTrial(trials, part_of, 1), 0U);
  // Part 0 with the second penalty (1 right), part 1 with the first (0 right).
  EXPECT_EQ(heldOutRight(trials, part_of, 2), 1);
}

double lossOf(const FittedHead& fitted) {
  return fitted.regression.train.loss;
}

TEST(FitHead, DoesNotDependOnTheSizeOfTheFeatures) {
  RunContext context;
  const auto usual = fitHead(overlappingItems(60, 1.0F), {.folds = 5}, context);
  ASSERT_OK(usual);
  EXPECT_GT(usual->regression.train.accuracy, 0.6);
  for (const float scale : {1e-4F, 1e3F}) {
    SCOPED_TRACE(scale);
    const auto scaled =
        fitHead(overlappingItems(60, scale), {.iterations = 2000, .folds = 5}, context);
    ASSERT_OK(scaled);
    EXPECT_NEAR(scaled->l2 / (scale * scale) / usual->l2, 1.0, 1e-3);
    EXPECT_NEAR(lossOf(*scaled), lossOf(*usual), 0.02);
    EXPECT_NEAR(static_cast<double>(scaled->held_out->right),
                static_cast<double>(usual->held_out->right), 2.0);
  }
}

TEST(FitHead, ChoosesAStrongPenaltyForNoise) {
  HeadItems noise = overlappingItems(60, 1.0F);
  HeadItems clear = noise;
  for (std::size_t i = 0; i < noise.train.labels.size(); ++i) {
    noise.train.labels[i] = static_cast<std::int64_t>((i * i + 3 * i) / 7) % kLabels;
    // Far from the others along one direction: as sure as can be.
    clear.train.features.mutableRow(
        static_cast<std::int64_t>(i))[static_cast<std::size_t>(clear.train.labels[i])] += 10.0F;
  }
  RunContext context;
  const auto of_noise = fitHead(noise, {}, context);
  const auto of_clear = fitHead(clear, {}, context);
  ASSERT_OK(of_noise);
  ASSERT_OK(of_clear);
  const auto candidates = candidatePenalties(noise.train, true);
  EXPECT_NEAR(of_noise->l2 / candidates.front(), 1.0, 1e-5);
  EXPECT_LE(of_clear->l2, candidatePenalties(clear.train, true)[2]);
  EXPECT_FALSE(of_noise->held_out);
}

TEST(FitHead, AGivenPenaltyIsKept) {
  const HeadItems items = overlappingItems(60, 1.0F);
  RunContext context;
  const auto fitted = fitHead(items, {.l2 = 0.03, .folds = 3}, context);
  ASSERT_OK(fitted);
  EXPECT_EQ(fitted->l2, 0.03);
  const auto expected =
      fitSoftmaxRegression(items.train, {}, {.classes = kLabels, .l2 = 0.03}, context);
  ASSERT_OK(expected);
  EXPECT_EQ(lossOf(*fitted), expected->train.loss);
  EXPECT_EQ(fitted->held_out->items, 60);
}

TEST(FitHead, ManyItemsHaveThePriorOfASample) {
  RunContext context;
  const HeadItems items = overlappingItems(4100, 1.0F);
  const auto fitted = fitHead(items, {.folds = 2}, context);
  ASSERT_OK(fitted);
  EXPECT_EQ(fitted->held_out->items, 4100);
  // Every third item, with every class in the same proportion.
  const auto part_of = heldOutParts(items.train.labels, items.ids, 3, context.seed);
  HeadItems few{.classes = kLabels};
  std::vector<float> values;
  for (std::size_t i = 0; i < part_of.size(); ++i) {
    if (part_of[i] == 0) {
      const auto row = items.train.features.row(static_cast<std::int64_t>(i));
      values.insert(values.end(), row.begin(), row.end());
      few.train.labels.push_back(items.train.labels[i]);
      few.ids.push_back(items.ids[i]);
    }
  }
  few.train.features = Array<float>::fromVector({few.train.size(), kInputs}, std::move(values));
  const auto of_few = fitHead(few, {}, context);
  ASSERT_OK(of_few);
  // The same precision of the prior: as many times less per item as there are more items.
  const double ratio = 4100.0 / static_cast<double>(few.train.size());
  EXPECT_GT(ratio, 2.9);
  EXPECT_NEAR(fitted->l2 * ratio / of_few->l2, 1.0, 0.1);
}

TEST(FitHead, CancelsBetweenTrials) {
  RunContext context;
  int trials = 0;
  context.on_progress = [&](const Progress& progress) {
    if (progress.stage == kTrialsStage && ++trials == 1) {
      context.control()->requestCancel();
    }
  };
  const auto fitted = fitHead(overlappingItems(60, 1.0F), {}, context);
  ASSERT_FALSE(fitted);
  EXPECT_EQ(fitted.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
