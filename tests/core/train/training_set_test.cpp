// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/data/items/sample_cache.h"
#include "core/train/training_set_torch.h"
#include "tests/core/train/memory_dataset.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// All inputs of a set as training gets them.
at::Tensor inputsOf(const TrainingSet& set) {
  const auto batch = loadBatch(*set.dataset, set.items, set.preprocessing, RunContext());
  EXPECT_OK(batch);
  return batch ? at::from_blob(const_cast<float*>(batch->inputs.data()), batch->inputs.shape())
                     .clone()
               : at::Tensor();
}

TEST(TrainingSet, IsNormalisedByItsOwnMeanAndStd) {
  RunContext context;
  const auto dataset = test::barImages(700, 20);
  const auto set = readTrainingSet(dataset, context);
  ASSERT_OK(set);
  EXPECT_EQ(set->size(), 700);
  EXPECT_EQ(set->input_shape, (std::vector<std::int64_t>{1, 20, 20}));
  EXPECT_EQ(set->classes, 3);
  const at::Tensor inputs = inputsOf(*set);
  EXPECT_NEAR(inputs.mean().item<double>(), 0.0, 1e-5);
  EXPECT_NEAR(inputs.std(false).item<double>(), 1.0, 1e-5);
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
  const at::Tensor row = inputsOf(*set)[17].flatten();
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
  ASSERT_OK(set);
  EXPECT_EQ(set->unlabelled, 2);
  EXPECT_EQ(set->unreadable, 1);
  EXPECT_EQ(set->items, (std::vector<std::int64_t>{0, 2, 5}));
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

/// Normalised in place and all together, as the whole set once was.
TEST(TrainingSet, StatisticsAndInputsAreThoseOfAllItemsTogether) {
  RunContext context;
  const auto dataset = test::barImages(1300, 20);
  const auto set = readTrainingSet(dataset, context);
  ASSERT_OK(set);
  Preprocessing unscaled = set->preprocessing;
  unscaled.mean.clear();
  unscaled.std.clear();
  const auto batch = loadBatch(dataset, set->items, unscaled, RunContext());
  ASSERT_TRUE(batch);
  at::Tensor values =
      at::from_blob(const_cast<float*>(batch->inputs.data()), batch->inputs.shape()).clone();
  const double mean = values.mean(at::kDouble).item<double>();
  const double deviation =
      std::sqrt((values.to(at::kDouble) - mean).square().mean().item<double>());
  EXPECT_NEAR(set->preprocessing.mean.at(0), mean, 1e-14);
  EXPECT_NEAR(set->preprocessing.std.at(0), deviation, 1e-14);
  values.sub_(mean).div_(deviation);
  EXPECT_TRUE(values.equal(inputsOf(*set)));
}

TEST(TrainingSet, DoesNotDependOnHowManyItemsAreReadTogether) {
  RunContext context;
  const auto dataset = test::barImages(700, 20);
  const auto whole = readTrainingSet(dataset, context);
  context.memory_budget_bytes = 20 * 20 * 4 * 7;
  const auto split = readTrainingSet(dataset, context);
  ASSERT_TRUE(whole && split) << split.error().message;
  EXPECT_EQ(whole->preprocessing.mean, split->preprocessing.mean);
  EXPECT_EQ(whole->preprocessing.std, split->preprocessing.std);
  EXPECT_EQ(whole->content_hash, split->content_hash);
}

TEST(TrainingSet, NeedsNoRoomForTheWholeSet) {
  RunContext context;
  context.memory_budget_bytes = 300 * 20 * 20 * 4 / 10;
  const auto dataset = test::barImages(300, 20);
  EXPECT_TRUE(readTrainingSet(dataset, context).has_value());
  context.memory_budget_bytes = 20 * 20 * 4 - 1;
  const auto set = readTrainingSet(dataset, context);
  ASSERT_FALSE(set.has_value());
  EXPECT_EQ(set.error().code, ErrorCode::kOutOfMemory);
}

/// Samples of its own for every read, as files give them.
class DecodedDataset : public test::MemoryDataset {
 public:
  using MemoryDataset::MemoryDataset;
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    ++reads;
    const auto values = std::get<Array<float>>(*MemoryDataset::read(index)).values();
    return Sample(Array<float>::fromVector(std::vector<float>(values.begin(), values.end())));
  }
  mutable int reads = 0;
};

TEST(TrainingSet, KeepsDecodedItemsWithinHalfTheBudget) {
  RunContext context;
  std::vector<Sample> samples;
  std::vector<std::int64_t> labels;
  for (int i = 0; i < 40; ++i) {
    samples.emplace_back(Array<float>::fromVector({static_cast<float>(i), 1.0F}));
    labels.push_back(i % 2);
  }
  DecodedDataset all(samples, labels);
  ASSERT_TRUE(readTrainingSet(all, context));
  EXPECT_LT(all.reads, 40 + 10);
  context.memory_budget_bytes = 2 * 20 * 8;  // half of them may be kept
  DecodedDataset half(samples, labels);
  ASSERT_TRUE(readTrainingSet(half, context));
  EXPECT_GE(half.reads, 40 + 20 + 20);
  EXPECT_LT(half.reads, 40 + 20 + 20 + 10);
  const test::MemoryDataset in_memory(samples, labels);
  const auto set = readTrainingSet(in_memory, context);
  ASSERT_TRUE(set);
  EXPECT_EQ(dynamic_cast<const SampleCache&>(*set->dataset).keptBytes(), 0);
}

}  // namespace
}  // namespace dubito
