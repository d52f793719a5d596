// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/train/training_set_torch.h"
#include "tests/core/train/memory_dataset.h"

namespace dubito {
namespace {

TEST(TrainingSet, IsNormalisedByItsOwnMeanAndStd) {
  RunContext context;
  const auto set = readTrainingSet(test::barImages(700, 20), context);
  ASSERT_TRUE(set.has_value()) << set.error().message;
  EXPECT_EQ(set->inputs.sizes().vec(), (std::vector<std::int64_t>{700, 1, 20, 20}));
  EXPECT_EQ(set->classes, 3);
  EXPECT_NEAR(set->inputs.mean().item<double>(), 0.0, 1e-5);
  EXPECT_NEAR(set->inputs.std(false).item<double>(), 1.0, 1e-5);
  ASSERT_EQ(set->preprocessing.mean.size(), 1U);
  EXPECT_EQ(set->preprocessing.height, 20);
  EXPECT_EQ(set->preprocessing.channels, 1);
  EXPECT_EQ(set->preprocessing.scale, 1.0 / 255.0);
}

// What an image looks like to the network in training is what preprocessing makes of it later.
TEST(TrainingSet, EqualsPreprocessing) {
  RunContext context;
  const auto dataset = test::barImages(30, 20);
  const auto set = readTrainingSet(dataset, context);
  ASSERT_TRUE(set.has_value());
  const auto input = preprocess(*dataset.read(17), set->preprocessing);
  ASSERT_TRUE(input.has_value());
  const at::Tensor row = set->inputs[17].flatten();
  for (std::int64_t i = 0; i < row.numel(); ++i) {
    ASSERT_NEAR(row[i].item<float>(), input->data()[i], 1e-5) << "pixel " << i;
  }
}

TEST(TrainingSet, LeavesOutAndCountsWhatHasNoLabelOrCannotBeRead) {
  RunContext context;
  std::vector<Sample> samples;
  for (int i = 0; i < 6; ++i) {
    samples.emplace_back(Array<float>::fromVector({static_cast<float>(i), 1.0F}));
  }
  test::MemoryDataset dataset(samples, {0, -1, 1, 2, -1, 1});
  dataset.breakItem(3);
  const auto set = readTrainingSet(dataset, context);
  ASSERT_TRUE(set.has_value()) << set.error().message;
  EXPECT_EQ(set->unlabelled, 2);
  EXPECT_EQ(set->unreadable, 1);
  EXPECT_EQ(set->inputs.size(0), 3);
  EXPECT_TRUE(set->labels.equal(at::tensor(std::vector<std::int64_t>{0, 1, 1}, at::kLong)));
}

TEST(TrainingSet, RefusesWhatCannotBeLearnt) {
  RunContext context;
  std::vector<Sample> samples(4, Array<float>::fromVector({1.0F, 2.0F}));
  EXPECT_FALSE(readTrainingSet(test::MemoryDataset(samples, {1, 1, 1, 1}), context).has_value());
  EXPECT_FALSE(
      readTrainingSet(test::MemoryDataset(samples, {-1, -1, -1, -1}), context).has_value());
  const auto huge = readTrainingSet(test::MemoryDataset(samples, {0, 1, 0, 1LL << 40}), context);
  ASSERT_FALSE(huge.has_value());
  EXPECT_EQ(huge.error().code, ErrorCode::kMalformed);
}

TEST(TrainingSet, StaysWithinTheMemoryBudget) {
  RunContext context;
  context.memory_budget_bytes = 300 * 20 * 20 * 4 - 1;
  const auto set = readTrainingSet(test::barImages(300, 20), context);
  ASSERT_FALSE(set.has_value());
  EXPECT_EQ(set.error().code, ErrorCode::kOutOfMemory);
}

}  // namespace
}  // namespace dubito
