// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/preprocessing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "tests/core/data/items.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::asStored;
using test::image;

std::vector<float> valuesOf(const Expected<Array<float>>& array) {
  EXPECT_TRUE(array) << (array ? "" : array.error().message);
  return array ? test::valuesOf(*array) : std::vector<float>{};
}

TEST(Preprocess, BicubicOvershootIsClampedForBytesAlone) {
  Preprocessing preprocessing = asStored();
  preprocessing.height = 1;
  preprocessing.width = 12;
  preprocessing.interpolation = "bicubic";
  const Image8 step = image(1, 6, 1, {0, 0, 0, 255, 255, 255});
  const auto clamped = valuesOf(preprocess(step, preprocessing));
  EXPECT_EQ(*std::max_element(clamped.begin(), clamped.end()), 255.0F);
  const auto reals = Array<float>::fromVector({1, 6, 1}, {0, 0, 0, 255, 255, 255});
  const auto overshot = valuesOf(preprocess(Sample(reals), preprocessing));
  EXPECT_GT(*std::max_element(overshot.begin(), overshot.end()), 256.0F);
}

TEST(Preprocess, BytesAreScaledAndNormalised) {
  Preprocessing preprocessing;
  preprocessing.mean = {0.1307};
  preprocessing.std = {0.3081};
  const auto input = preprocess(image(1, 2, 1, {0, 255}), preprocessing);
  ASSERT_TRUE(input);
  EXPECT_EQ(input->shape(), (std::vector<std::int64_t>{1, 1, 2}));
  EXPECT_FLOAT_EQ(input->values()[0], static_cast<float>(-0.1307 / 0.3081));
  EXPECT_FLOAT_EQ(input->values()[1], static_cast<float>((1.0 - 0.1307) / 0.3081));
}

TEST(Preprocess, EveryByteIsRoundedAsInFloat32Transforms) {
  Preprocessing preprocessing;
  preprocessing.mean = {0.1307};
  preprocessing.std = {0.3081};
  std::vector<std::uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  const auto input = valuesOf(preprocess(image(16, 16, 1, bytes), preprocessing));
  ASSERT_EQ(input.size(), 256U);
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const float scaled = static_cast<float>(byte) / 255.0F;
    EXPECT_EQ(input[byte], (scaled - 0.1307F) / 0.3081F) << byte;
  }
}

TEST(Preprocess, ChannelOrderAndStatisticsAreTheNetworks) {
  Preprocessing preprocessing = asStored();
  preprocessing.channel_order = "bgr";
  preprocessing.mean = {1, 2, 3};
  const auto input = preprocess(image(1, 2, 3, {10, 20, 30, 40, 50, 60}), preprocessing);
  ASSERT_TRUE(input);
  EXPECT_EQ(input->shape(), (std::vector<std::int64_t>{3, 1, 2}));
  EXPECT_EQ(valuesOf(input), (std::vector<float>{29, 59, 18, 48, 7, 37}));
  // The way through the resize gives the same order.
  preprocessing.height = 1;
  preprocessing.width = 1;
  EXPECT_EQ(valuesOf(preprocess(image(1, 1, 3, {10, 20, 30}), preprocessing)),
            (std::vector<float>{29, 18, 7}));
  EXPECT_EQ(valuesOf(preprocess(image(1, 2, 3, {10, 20, 30, 10, 20, 30}), preprocessing)),
            (std::vector<float>{29, 18, 7}));
}

TEST(Preprocess, GreyAndColourTurnIntoEachOther) {
  Preprocessing grey = asStored();
  grey.channels = 1;
  const auto luma = preprocess(image(1, 3, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255}), grey);
  ASSERT_TRUE(luma);
  EXPECT_EQ(luma->shape(), (std::vector<std::int64_t>{1, 1, 3}));
  EXPECT_NEAR(luma->values()[0], 76.245, 1e-4);
  EXPECT_NEAR(luma->values()[1], 149.685, 1e-4);
  EXPECT_NEAR(luma->values()[2], 29.07, 1e-4);
  Preprocessing colour = asStored();
  colour.channels = 3;
  colour.channel_order = "bgr";
  EXPECT_EQ(valuesOf(preprocess(image(1, 1, 1, {9}), colour)), (std::vector<float>{9, 9, 9}));
  colour.height = 1;
  colour.width = 1;
  EXPECT_EQ(valuesOf(preprocess(image(1, 2, 1, {9, 9}), colour)), (std::vector<float>{9, 9, 9}));
}

TEST(Preprocess, ShorterSideAndCentreCropAsInTorchvision) {
  Preprocessing preprocessing = asStored();
  preprocessing.height = 2;
  preprocessing.width = 2;
  preprocessing.resize = "shorter-side";
  preprocessing.interpolation = "nearest";
  // 2 x 6: the shorter side is 2 already, columns 2 and 3 are the centre.
  EXPECT_EQ(
      valuesOf(preprocess(image(2, 6, 1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), preprocessing)),
      (std::vector<float>{2, 3, 8, 9}));
  // 2 x 5: (5 - 2) / 2 = 1.5 goes to the even column 2.
  EXPECT_EQ(valuesOf(preprocess(image(2, 5, 1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), preprocessing)),
            (std::vector<float>{2, 3, 7, 8}));
  // 2 x 3 to the shorter side 4: 4 x 6, of which 2 x 2 are cut.
  preprocessing.resize_to = 4;
  const auto larger = preprocess(image(2, 3, 1, {0, 1, 2, 3, 4, 5}), preprocessing);
  EXPECT_EQ(valuesOf(larger), (std::vector<float>{1, 1, 4, 4}));
}

TEST(Preprocess, VectorsAndRealImages) {
  Preprocessing preprocessing = asStored();
  preprocessing.mean = {1, 2};
  preprocessing.std = {2, 4};
  const Sample vector = Array<float>::fromVector({5, 10});
  EXPECT_EQ(valuesOf(preprocess(vector, preprocessing)), (std::vector<float>{2, 2}));
  const Sample reals = Array<float>::fromVector({1, 1, 2}, {0.5F, -3.0F});
  EXPECT_EQ(valuesOf(preprocess(reals, preprocessing)), (std::vector<float>{-0.25F, -1.25F}));
}

TEST(Preprocess, WhatDoesNotFitIsAnError) {
  Preprocessing images = asStored();
  images.height = 28;
  images.width = 28;
  const auto vector = preprocess(Sample(Array<float>::fromVector({1, 2})), images);
  ASSERT_FALSE(vector);
  EXPECT_THAT(vector.error().message, HasSubstr("vector of 2 numbers"));
  Preprocessing colour = asStored();
  colour.channels = 3;
  const auto seven = preprocess(Sample(Array<float>::zeros({2, 2, 7})), colour);
  ASSERT_FALSE(seven);
  EXPECT_THAT(seven.error().message, HasSubstr("7 channels, but the model takes 3"));
  Preprocessing two_means = asStored();
  two_means.mean = {1, 2};
  EXPECT_FALSE(preprocess(image(1, 1, 3, {1, 2, 3}), two_means));
}

TEST(Preprocessing, JsonRoundTrip) {
  Preprocessing written;
  written.channels = 3;
  written.height = 224;
  written.width = 200;
  written.resize = "shorter-side";
  written.resize_to = 256;
  written.interpolation = "bicubic";
  written.channel_order = "bgr";
  written.scale = 0.75;
  written.mean = {1, 2, 3};
  written.std = {4, 5, 6};
  const auto read = preprocessingFromJson(toJson(written));
  ASSERT_OK(read);
  EXPECT_EQ(toJson(*read), toJson(written));
  EXPECT_EQ(read->height, 224);
  EXPECT_EQ(read->width, 200);
  EXPECT_EQ(
      read->describe(),
      "bgr 224 x 200 (centre of shorter side 256, bicubic), times 0.75, mean 1/2/3, std 4/5/6");
}

TEST(Preprocessing, JsonForms) {
  const auto read = [](const char* text) {
    return preprocessingFromJson(nlohmann::json::parse(text));
  };
  const auto square = read(R"({"input_size": 28, "mean": 0.5, "classes": ["a"]})");
  ASSERT_TRUE(square);
  EXPECT_EQ(square->width, 28);
  EXPECT_EQ(square->mean, (std::vector<double>{0.5}));
  const auto whole = read(R"({"input_size": [3, 32, 40]})");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->channels, 3);
  EXPECT_EQ(whole->height, 32);
  EXPECT_EQ(read("{}")->describe(), "size as stored, /255");
  EXPECT_EQ(
      read(R"({"channels": 1, "input_size": 28, "mean": [0.1307], "std": 0.3081})")->describe(),
      "grey 28 x 28 (bilinear), /255, mean 0.1307, std 0.3081");
}

TEST(Preprocessing, VectorsHaveALength) {
  const auto read = preprocessingFromJson(nlohmann::json::parse(R"({"input_size": [3]})"));
  ASSERT_OK(read);
  EXPECT_EQ(read->length, 3);
  EXPECT_EQ(read->height, 0);
  EXPECT_EQ(read->describe(), "3 numbers, values as stored");
  EXPECT_EQ(toJson(*preprocessingFromJson(toJson(*read))), toJson(*read));
  EXPECT_EQ(valuesOf(preprocess(Sample(Array<float>::fromVector({1, 2, 3})), *read)),
            (std::vector<float>{1, 2, 3}));
  const auto other = preprocess(Sample(Array<float>::fromVector({1, 2})), *read);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("vector of 2 numbers, but the model takes 3"));
  const auto scaled =
      preprocessingFromJson(nlohmann::json::parse(R"({"input_size": [3], "scale": 0.5})"));
  ASSERT_TRUE(scaled);
  EXPECT_EQ(scaled->scale, 0.5);
}

TEST(Preprocessing, MistakesInTheMetadataNameTheKey) {
  for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {R"([1])", "the metadata"},
           {R"({"input_size": "28"})", "input_size is \"28\""},
           {R"({"input_size": []})", "input_size"},
           {R"({"input_size": [2, 3, 4, 5]})", "[length] of a vector"},
           {R"({"input_size": [28], "channels": 1})", "a vector of 28 numbers"},
           {R"({"input_size": 0})", "input_size"},
           {R"({"input_size": [-1, 5]})", "input_size"},
           {R"({"input_size": 1e9})", "input_size"},
           {R"({"input_size": 100000})", "input_size"},
           {R"({"input_size": [3, 8, 8], "channels": 1})", "channels, which is 1"},
           {R"({"channels": 2})", "channels is 2"},
           {R"({"channels": 1.5})", "channels is 1.5"},
           {R"({"interpolation": "lanczos"})", "bilinear, bicubic or nearest"},
           {R"({"interpolation": 3})", "interpolation is 3"},
           {R"({"resize": "pad"})", "exact or shorter-side"},
           {R"({"resize": "shorter-side"})", "input_size is missing"},
           {R"({"resize": "shorter-side", "input_size": 8, "resize_to": 7})", "resize_to is 7"},
           {R"({"channel_order": "rbg"})", "rgb or bgr"},
           {R"({"scale": "1/255"})", "scale is"},
           {R"({"scale": 0})", "scale is 0"},
           {R"({"mean": "0.5"})", "mean is"},
           {R"({"mean": [0.5, null]})", "mean is"},
           {R"({"std": [0]})", "std contains"},
           {R"({"channels": 3, "std": [1, 2]})", "std has 2 values for 3 channels"}}) {
    const auto read = preprocessingFromJson(nlohmann::json::parse(text));
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(read.error().message, HasSubstr(words));
  }
}

TEST(DisplayImage, RealsAreStretchedAndVectorsHaveNone) {
  const Image8 bytes = image(1, 1, 3, {1, 2, 3});
  EXPECT_EQ(toDisplayImage(bytes)->pixels.data(), bytes.pixels.data());
  const auto reals = toDisplayImage(Array<float>::fromVector({1, 3, 1}, {-1, 0, 1}));
  ASSERT_TRUE(reals);
  EXPECT_EQ(reals->pixels.values()[0], 0);
  EXPECT_EQ(reals->pixels.values()[1], 128);
  EXPECT_EQ(reals->pixels.values()[2], 255);
  const auto flat = toDisplayImage(Array<float>::fromVector({1, 2, 1}, {5, std::nanf("")}));
  EXPECT_EQ(flat->pixels.values()[0], 0);
  EXPECT_FALSE(toDisplayImage(Array<float>::fromVector({3}, {1, 2, 3})));
}

}  // namespace
}  // namespace dubito
