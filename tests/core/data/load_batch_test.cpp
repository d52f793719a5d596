// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "core/data/images/preprocessing.h"
#include "core/data/sources/array_dataset.h"
#include "tests/core/data/items.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::asStored;
using test::image;
using test::PatchyDataset;
using test::range;
using test::valuesOf;

Image8 noiseImage(std::int64_t height, std::int64_t width, std::int64_t channels) {
  std::mt19937 random(11);
  std::vector<std::uint8_t> values(static_cast<std::size_t>(height * width * channels));
  std::generate(values.begin(), values.end(),
                [&random] { return static_cast<std::uint8_t>(random() & 0xFFU); });
  return image(height, width, channels, std::move(values));
}

TEST(LoadBatch, LeavesUnreadableItemsOutAndListsThem) {
  for (const int threads : {1, 3}) {
    RunContext context;
    context.threads = threads;
    const PatchyDataset dataset({0, 2, 2, 0, 2, 0});
    const auto batch = loadBatch(dataset, range(6), asStored(), context);
    ASSERT_OK(batch);
    EXPECT_EQ(batch->inputs.shape(), (std::vector<std::int64_t>{3, 1, 1, 2}));
    EXPECT_EQ(valuesOf(batch->inputs), (std::vector<float>{1, 1, 2, 2, 4, 4}));
    EXPECT_EQ(batch->indices, (std::vector<std::int64_t>{1, 2, 4}));
    EXPECT_EQ(batch->unreadable, (std::vector<std::int64_t>{0, 3, 5}));
    EXPECT_EQ(batch->unreadable_reasons[1], "item3 is broken");
  }
}

TEST(LoadBatch, NothingReadableIsAnEmptyBatch) {
  const auto batch = loadBatch(PatchyDataset({0, 0}), range(2), asStored(), RunContext());
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->inputs.size(), 0);
  EXPECT_EQ(batch->unreadable.size(), 2U);
}

TEST(LoadBatch, DifferentSizesAreAnErrorThatNamesTwoUnlessTheyAreResized) {
  const PatchyDataset dataset({2, 2, 3, 2});
  Preprocessing preprocessing = asStored();
  const auto refused = loadBatch(dataset, range(4), preprocessing, RunContext());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("item0 is 1 x 1 x 2, but item2 is 1 x 1 x 3"));
  EXPECT_EQ(refused.error().remedy,
            (Remedy{.settings = {metadataSetting("input_size"), metadataSetting("channels")},
                    .needs_input_size = true}));
  preprocessing.height = 2;
  preprocessing.width = 2;
  const auto resized = loadBatch(dataset, range(4), preprocessing, RunContext());
  ASSERT_OK(resized);
  EXPECT_EQ(resized->inputs.shape(), (std::vector<std::int64_t>{4, 1, 2, 2}));
}

TEST(LoadBatch, BudgetCancelAndWrongPreprocessingAreErrors) {
  const PatchyDataset dataset({2, 2});
  RunContext small;
  small.memory_budget_bytes = 8;
  const Error two = loadBatch(dataset, range(2), asStored(), small).error();
  EXPECT_EQ(two.code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(two.message, HasSubstr("use a smaller batch or allow more memory"));
  EXPECT_EQ(two.remedy, (Remedy{.settings = {setting("batch"), setting("memory")}}));
  small.memory_budget_bytes = 4;
  const Error one = loadBatch(dataset, range(1), asStored(), small).error();
  EXPECT_EQ(one.code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(one.message, HasSubstr("one item takes 8 bytes as input"));
  EXPECT_EQ(one.remedy, (Remedy{.settings = {metadataSetting("input_size"), setting("memory")},
                                .needs_input_size = true}));
  RunContext stopped;
  stopped.control()->requestCancel();
  EXPECT_EQ(loadBatch(dataset, range(2), asStored(), stopped).error().code, ErrorCode::kCancelled);
  Preprocessing wrong = asStored();
  wrong.scale = 0.0;
  EXPECT_EQ(loadBatch(dataset, range(2), wrong, RunContext()).error().code,
            ErrorCode::kInvalidArgument);
}

TEST(LoadBatch, AStopRequestEndsItLikeACancel) {
  const PatchyDataset dataset({2, 2});
  std::stop_source stop;
  EXPECT_TRUE(loadBatch(dataset, range(2), asStored(), RunContext(), stop.get_token()));
  stop.request_stop();
  const auto batch = loadBatch(dataset, range(2), asStored(), RunContext(), stop.get_token());
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().code, ErrorCode::kCancelled);
}

TEST(LoadBatch, DoesNotDependOnThreads) {
  std::vector<std::vector<float>> results;
  const Image8 pixels = noiseImage(64, 300, 1);
  const ArrayDataset dataset({}, pixels.pixels.reshaped({64, 20, 15, 1}),
                             std::vector<std::int64_t>(64, 0));
  Preprocessing preprocessing;
  preprocessing.height = 9;
  preprocessing.width = 9;
  for (const int threads : {1, 4}) {
    RunContext context;
    context.threads = threads;
    const auto batch = loadBatch(dataset, range(64), preprocessing, context);
    ASSERT_TRUE(batch);
    results.push_back(valuesOf(batch->inputs));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(LoadBatch, TheWholeMnistTestSet) {
  DUBITO_NEEDS_SHARED();
  RunContext context;
  const auto path = *test::sharedDir() / "datasets/mnist/t10k-images-idx3-ubyte.gz";
  const auto dataset = openDataset(path.string(), context);
  ASSERT_TRUE(dataset);
  const auto batch = loadBatch(**dataset, range(10000), Preprocessing(), context);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->inputs.shape(), (std::vector<std::int64_t>{10000, 1, 28, 28}));
  double sum = 0.0;
  double squares = 0.0;
  for (const float value : batch->inputs.values()) {
    sum += static_cast<double>(value);
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  // The published mean and standard deviation of the test images.
  const double mean = sum / 7840000.0;
  EXPECT_NEAR(mean, 0.1325, 1e-4);
  EXPECT_NEAR(std::sqrt(squares / 7840000.0 - mean * mean), 0.3105, 1e-4);
}

}  // namespace
}  // namespace dubito
