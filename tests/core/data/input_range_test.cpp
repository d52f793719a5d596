// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/input_range.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/data/images/corrupted_dataset.h"
#include "core/data/items/stored_range.h"
#include "core/data/sources/array_dataset.h"
#include "core/data/sources/dataset_view.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

constexpr std::int64_t kItems = 32;

/// Images [kItems, 4, 4, 1], each with values evenly from `low` to `high`.
template <class T>
DatasetPtr imagesFrom(double low, double high) {
  constexpr std::int64_t kPixels = 16;
  auto values = Array<T>::zeros({kItems, 4, 4, 1});
  for (std::int64_t i = 0; i < values.size(); ++i) {
    const double share = static_cast<double>(i % kPixels) / static_cast<double>(kPixels - 1);
    values.mutableData()[i] = static_cast<T>(low + (high - low) * share);
  }
  DatasetInfo info;
  info.name = "images";
  return std::make_shared<const ArrayDataset>(std::move(info), values,
                                              std::vector<std::int64_t>(kItems, 0));
}

Preprocessing with(double scale, std::vector<double> mean = {}, std::vector<double> std = {}) {
  Preprocessing preprocessing;
  preprocessing.scale = scale;
  preprocessing.mean = std::move(mean);
  preprocessing.std = std::move(std);
  return preprocessing;
}

Preprocessing guessed(std::vector<double> mean = {}, std::vector<double> std = {}) {
  Preprocessing preprocessing = with(1.0 / 255.0, std::move(mean), std::move(std));
  preprocessing.scale_guessed = true;
  return preprocessing;
}

std::string warning(const DatasetPtr& dataset, const Preprocessing& preprocessing) {
  const RunContext context;
  const auto text = inputRangeWarning(*dataset, preprocessing, context);
  EXPECT_OK(text);
  return text.value_or("failed");
}

const std::vector<double> kImagenetMean{0.485, 0.456, 0.406};
const std::vector<double> kImagenetStd{0.229, 0.224, 0.225};
const std::vector<double> kByteMean{123.675, 116.28, 103.53};
const std::vector<double> kByteStd{58.395, 57.12, 57.375};

TEST(InputRange, UsualCombinationsFit) {
  const DatasetPtr bytes = imagesFrom<std::uint8_t>(0, 255);
  EXPECT_EQ(warning(bytes, with(1.0 / 255.0)), "");
  EXPECT_EQ(warning(bytes, with(1.0 / 255.0, {0.1307}, {0.3081})), "");
  EXPECT_EQ(warning(bytes, with(1.0 / 255.0, kImagenetMean, kImagenetStd)), "");
  EXPECT_EQ(warning(bytes, with(1.0 / 255.0, {0.5}, {0.5})), "");
  EXPECT_EQ(warning(bytes, with(1.0)), "") << "a network that normalises by itself";
  EXPECT_EQ(warning(bytes, with(1.0, kByteMean, kByteStd)), "");
  EXPECT_EQ(warning(bytes, with(1.0, {104, 117, 123})), "") << "as Caffe does";
  EXPECT_EQ(warning(bytes, with(1.0 / 127.5, {1.0})), "") << "to -1 to 1 in another way";
  EXPECT_EQ(warning(bytes, with(1.0, {127.5}, {127.5})), "");
  EXPECT_EQ(warning(bytes, with(1.0, {0, 0, 0}, {255, 255, 255})), "");
  EXPECT_EQ(warning(bytes, with(1.0 / 255.0, {0.05}, {0.1})), "") << "dark images";
  EXPECT_EQ(warning(imagesFrom<std::uint8_t>(10, 60), with(1.0 / 255.0)), "") << "dim images";
  EXPECT_EQ(warning(imagesFrom<std::uint8_t>(0, 0), with(1.0 / 255.0)), "") << "black images";
  EXPECT_EQ(warning(imagesFrom<float>(0, 1), with(1.0, kImagenetMean, kImagenetStd)), "");
  EXPECT_EQ(warning(imagesFrom<float>(0, 255), with(1.0 / 255.0)), "");
  EXPECT_EQ(warning(imagesFrom<float>(0, 16), with(1.0, {4.9}, {6.0})), "") << "small digits";
  EXPECT_EQ(warning(imagesFrom<float>(0, 65535), with(1.0 / 65535.0, {0.5}, {0.25})), "");
  EXPECT_EQ(warning(imagesFrom<float>(-1000, 3000), with(1.0, {-500}, {400})), "");
  EXPECT_EQ(warning(imagesFrom<float>(-3, 5), with(1.0)), "") << "normalised already";
}

TEST(InputRange, OthersAreWarnedOfWithBothRanges) {
  struct Case {
    DatasetPtr items;
    Preprocessing preprocessing;
    std::string reached;
    std::string expected;
    std::string remedy;
  };
  const DatasetPtr bytes = imagesFrom<std::uint8_t>(0, 255);
  for (const Case& shown : std::vector<Case>{
           {bytes, with(1.0 / 255.0, kByteMean, kByteStd), "-2.118 to -1.787", "-2.118 to 2.64",
            "so set \"scale\" to 1"},
           {bytes, with(1.0, kImagenetMean, kImagenetStd), "-2.118 to 1136", "-2.118 to 2.64",
            "set \"scale\" to 1/255"},
           {imagesFrom<float>(0, 1), with(1.0 / 255.0, {0.485}, {0.229}), "-2.118 to -2.101",
            "-2.118 to 2.249", "the items are in 0 to 1 already, so set \"scale\" to 1"},
           {imagesFrom<float>(0, 1), with(1.0, kByteMean, kByteStd), "-2.118 to -1.787",
            "-2.118 to 2.64", "the items are in 0 to 1 already, so set \"scale\" to 255"},
           {imagesFrom<float>(0, 60000), with(1.0 / 255.0), "0 to 235.3", "0 to 1",
            "if 65535 is white, set \"scale\" to 1/65535"},
           {imagesFrom<float>(0, 4095), with(1.0 / 255.0, {0.5}, {0.5}), "-1 to 31.12", "-1 to 1",
            "if 4095 is white, set \"scale\" to 1/4095"},
           {imagesFrom<float>(-1, 1), with(1.0, {0.5}, {0.5}), "-3 to 1", "-1 to 1",
            "values below 0; if they are normalised already"},
           {imagesFrom<float>(-2.1, 2.6), with(1.0, kImagenetMean, kImagenetStd), "-11.41 to 9.751",
            "-2.118 to 2.64", "values below 0"},
           {imagesFrom<std::uint8_t>(0, 15), with(1.0 / 255.0), "0 to 0.05882", "0 to 1",
            "use 0 to 15 of 0 to 255"},
           {imagesFrom<std::uint8_t>(0, 1), with(1.0 / 255.0, {0.1307}, {0.3081}),
            "-0.4242 to -0.4115", "-0.4242 to 2.821", "set \"scale\" to 1"}}) {
    const std::string text = warning(shown.items, shown.preprocessing);
    EXPECT_THAT(text, HasSubstr("The values reach the network in " + shown.reached + ", "));
    EXPECT_THAT(text, HasSubstr(" " + shown.expected + " is expected"));
    EXPECT_THAT(text, HasSubstr(shown.remedy));
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

TEST(InputRange, AGuessedScaleFollowsTheItems) {
  const auto scaleFor = [](const DatasetPtr& items) {
    return preprocessingFor(*items, guessed()).scale;
  };
  EXPECT_EQ(scaleFor(imagesFrom<std::uint8_t>(0, 1)), 1.0 / 255.0) << "bytes are bytes";
  EXPECT_EQ(scaleFor(imagesFrom<float>(0, 1)), 1.0);
  EXPECT_EQ(scaleFor(imagesFrom<float>(-1, 1)), 1.0);
  EXPECT_EQ(scaleFor(imagesFrom<float>(-2.1, 2.6)), 1.0);
  EXPECT_EQ(scaleFor(imagesFrom<float>(0, 16)), 1.0 / 255.0) << "not clear";
  EXPECT_EQ(scaleFor(imagesFrom<float>(0, 255)), 1.0 / 255.0);
  EXPECT_EQ(scaleFor(imagesFrom<float>(-128, 127)), 1.0 / 255.0);
  EXPECT_EQ(scaleFor(imagesFrom<float>(0, 60000)), 1.0 / 255.0);
  EXPECT_EQ(scaleFor(imagesFrom<float>(0, 0)), 1.0 / 255.0);
  EXPECT_EQ(preprocessingFor(*imagesFrom<float>(0, 1), with(1.0 / 255.0)).scale, 1.0 / 255.0)
      << "a stated scale is never changed";
  EXPECT_THAT(changedScaleNote(*imagesFrom<float>(0, 1), guessed()),
              HasSubstr("values from 0 to 1, so they are not divided by 255"));
  EXPECT_EQ(changedScaleNote(*imagesFrom<float>(0, 255), guessed()), "");
  EXPECT_EQ(warning(imagesFrom<float>(0, 1), guessed(kImagenetMean, kImagenetStd)), "");
  EXPECT_THAT(warning(imagesFrom<float>(-2.1, 2.6), guessed(kImagenetMean, kImagenetStd)),
              HasSubstr("values below 0"));
}

TEST(InputRange, LoadedBatchesHaveTheScaleOfTheirItems) {
  const DatasetPtr unit = imagesFrom<float>(0, 1);
  const RunContext context;
  const std::vector<std::int64_t> last{kItems - 1};
  const auto batch = loadBatch(*unit, last, guessed(), context);
  ASSERT_OK(batch);
  EXPECT_EQ(batch->inputs.values().back(), 1.0F);
  EXPECT_NEAR(loadBatch(*unit, last, with(1.0 / 255.0), context)->inputs.values().back(),
              1.0 / 255.0, 1e-9);
}

TEST(InputRange, SelectionsAndCorruptionsAreScaledLikeTheWhole) {
  // The dark half of images in 0 to 255 lies in 0 to 1.
  auto values = Array<float>::zeros({2, 2, 2, 1});
  values.mutableData()[7] = 255.0F;
  DatasetInfo info;
  const auto whole =
      std::make_shared<const ArrayDataset>(info, values, std::vector<std::int64_t>{0, 1});
  const DatasetView dark(whole, {0}, info);
  ASSERT_TRUE(storedRange(dark));
  EXPECT_EQ(storedRange(dark)->high, 255.0);
  EXPECT_EQ(preprocessingFor(dark, guessed()).scale, 1.0 / 255.0);
  const DatasetPtr noisy =
      corruptedDataset(imagesFrom<float>(0, 1), Corruption{CorruptionKind::kNoise, 3.0});
  EXPECT_EQ(preprocessingFor(*noisy, guessed()).scale, 1.0);
  // NaN is no value, and vectors have no range.
  values.mutableData()[7] = NAN;
  EXPECT_EQ(storedRange(ArrayDataset(info, values, {0, 1}))->high, 0.0);
  EXPECT_FALSE(storedRange(ArrayDataset(info, values.reshaped({2, 4}), {0, 1})));
}

}  // namespace
}  // namespace dubito
