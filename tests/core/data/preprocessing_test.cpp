// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/preprocessing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "core/data/array_dataset.h"
#include "core/data/content_hash.h"
#include "core/data/resize.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

Preprocessing asStored() {
  Preprocessing preprocessing;
  preprocessing.scale = 1.0;
  return preprocessing;
}

Image8 image(std::int64_t height, std::int64_t width, std::int64_t channels,
             std::vector<std::uint8_t> values) {
  return {Array<std::uint8_t>::fromVector({height, width, channels}, std::move(values))};
}

Image8 noiseImage(std::int64_t height, std::int64_t width, std::int64_t channels) {
  std::mt19937 random(11);
  std::vector<std::uint8_t> values(static_cast<std::size_t>(height * width * channels));
  std::generate(values.begin(), values.end(),
                [&random] { return static_cast<std::uint8_t>(random() & 0xFFU); });
  return image(height, width, channels, std::move(values));
}

std::vector<float> valuesOf(const Expected<Array<float>>& array) {
  EXPECT_TRUE(array) << (array ? "" : array.error().message);
  return array ? std::vector<float>(array->values().begin(), array->values().end())
               : std::vector<float>{};
}

/// Antialiased linear resize of one line by its definition: the weight of an input pixel is a
/// triangle around the output pixel's centre, stretched where the line shrinks.
std::vector<double> triangleResized(const std::vector<double>& line, std::size_t size) {
  const double ratio = static_cast<double>(line.size()) / static_cast<double>(size);
  const double half_width = std::max(1.0, ratio);
  std::vector<double> result;
  for (std::size_t at = 0; at < size; ++at) {
    const double centre = (static_cast<double>(at) + 0.5) * ratio;
    double sum = 0.0;
    double weights = 0.0;
    for (std::size_t from = 0; from < line.size(); ++from) {
      const double distance = std::abs(static_cast<double>(from) + 0.5 - centre) / half_width;
      const double weight = std::max(0.0, 1.0 - distance);
      sum += weight * line[from];
      weights += weight;
    }
    result.push_back(sum / weights);
  }
  return result;
}

std::vector<double> triangleResized(const std::vector<double>& plane, std::size_t height,
                                    std::size_t width, std::size_t new_height,
                                    std::size_t new_width) {
  std::vector<double> rows;
  for (std::size_t y = 0; y < height; ++y) {
    const auto start = plane.begin() + static_cast<std::ptrdiff_t>(y * width);
    const std::vector<double> row =
        triangleResized({start, start + static_cast<std::ptrdiff_t>(width)}, new_width);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  std::vector<double> result(new_height * new_width);
  for (std::size_t x = 0; x < new_width; ++x) {
    std::vector<double> column;
    for (std::size_t y = 0; y < height; ++y) {
      column.push_back(rows[y * new_width + x]);
    }
    const std::vector<double> resized = triangleResized(column, new_height);
    for (std::size_t y = 0; y < new_height; ++y) {
      result[y * new_width + x] = resized[y];
    }
  }
  return result;
}

TEST(Resize, bilinearIsTheTriangleFilterOfItsDefinition) {
  constexpr std::size_t kHeight = 37;
  constexpr std::size_t kWidth = 53;
  std::mt19937 random(3);
  std::vector<double> plane(kHeight * kWidth);
  std::generate(plane.begin(), plane.end(),
                [&random] { return static_cast<double>(random() % 256U); });
  const auto planes = Array<float>::fromVector({1, kHeight, kWidth},
                                               std::vector<float>(plane.begin(), plane.end()));
  for (const auto& [height, width] : std::vector<std::pair<std::size_t, std::size_t>>{
           {28, 28}, {5, 7}, {37, 20}, {64, 96}, {1, 1}, {200, 10}}) {
    const Array<float> resized = resizePlanes(planes, static_cast<std::int64_t>(height),
                                              static_cast<std::int64_t>(width), "bilinear");
    const std::vector<double> expected = triangleResized(plane, kHeight, kWidth, height, width);
    ASSERT_EQ(resized.size(), static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(resized.values()[i]), expected[i], 1e-3)
          << height << " x " << width << " at " << i;
    }
  }
}

TEST(Resize, nearestTakesThePixelAtTheFloor) {
  const auto planes = Array<float>::fromVector({1, 1, 5}, {0, 1, 2, 3, 4});
  EXPECT_EQ(valuesOf(resizePlanes(planes, 1, 3, "nearest")), (std::vector<float>{0, 1, 3}));
  EXPECT_THROW(static_cast<void>(resizePlanes(planes, 1, 3, "lanczos")), std::invalid_argument);
}

TEST(Resize, bicubicOfAConstantIsTheConstantAndKeepsItsEdgesSharp) {
  const auto flat = Array<float>::fromVector({1, 9, 9}, std::vector<float>(81, 7.0F));
  const Array<float> resized = resizePlanes(flat, 4, 5, "bicubic");
  for (const float value : resized.values()) {
    EXPECT_NEAR(value, 7.0F, 1e-5F);
  }
  // A step overshoots in a cubic filter; 8-bit images are clamped after it.
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

TEST(Preprocess, bytesAreScaledAndNormalised) {
  Preprocessing preprocessing;
  preprocessing.mean = {0.1307};
  preprocessing.std = {0.3081};
  const auto input = preprocess(image(1, 2, 1, {0, 255}), preprocessing);
  ASSERT_TRUE(input);
  EXPECT_EQ(input->shape(), (std::vector<std::int64_t>{1, 1, 2}));
  EXPECT_FLOAT_EQ(input->values()[0], static_cast<float>(-0.1307 / 0.3081));
  EXPECT_FLOAT_EQ(input->values()[1], static_cast<float>((1.0 - 0.1307) / 0.3081));
}

TEST(Preprocess, channelOrderAndStatisticsAreTheNetworks) {
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

TEST(Preprocess, greyAndColourTurnIntoEachOther) {
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

TEST(Preprocess, shorterSideAndCentreCropAsInTorchvision) {
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

TEST(Preprocess, vectorsAndRealImages) {
  Preprocessing preprocessing = asStored();
  preprocessing.mean = {1, 2};
  preprocessing.std = {2, 4};
  const Sample vector = Array<float>::fromVector({5, 10});
  EXPECT_EQ(valuesOf(preprocess(vector, preprocessing)), (std::vector<float>{2, 2}));
  const Sample reals = Array<float>::fromVector({1, 1, 2}, {0.5F, -3.0F});
  EXPECT_EQ(valuesOf(preprocess(reals, preprocessing)), (std::vector<float>{-0.25F, -1.25F}));
}

TEST(Preprocess, whatDoesNotFitIsAnError) {
  Preprocessing images = asStored();
  images.height = 28;
  images.width = 28;
  const auto vector = preprocess(Sample(Array<float>::fromVector({1, 2})), images);
  ASSERT_FALSE(vector);
  EXPECT_NE(vector.error().message.find("vector of 2 numbers"), std::string::npos);
  Preprocessing colour = asStored();
  colour.channels = 3;
  const auto seven = preprocess(Sample(Array<float>::zeros({2, 2, 7})), colour);
  ASSERT_FALSE(seven);
  EXPECT_NE(seven.error().message.find("7 channels, but the model takes 3"), std::string::npos);
  Preprocessing two_means = asStored();
  two_means.mean = {1, 2};
  EXPECT_FALSE(preprocess(image(1, 1, 3, {1, 2, 3}), two_means));
}

TEST(Preprocessing, jsonRoundTrip) {
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
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(toJson(*read), toJson(written));
  EXPECT_EQ(read->height, 224);
  EXPECT_EQ(read->width, 200);
  EXPECT_EQ(
      read->describe(),
      "bgr 224 x 200 (centre of shorter side 256, bicubic), times 0.75, mean 1/2/3, std 4/5/6");
}

TEST(Preprocessing, jsonForms) {
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

TEST(Preprocessing, mistakesInTheMetadataNameTheKey) {
  for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {R"([1])", "the metadata"},
           {R"({"input_size": "28"})", "input_size is \"28\""},
           {R"({"input_size": [28]})", "input_size"},
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
           {R"({"std": [0]})", "std holds"},
           {R"({"channels": 3, "std": [1, 2]})", "std has 2 values for 3 channels"}}) {
    const auto read = preprocessingFromJson(nlohmann::json::parse(text));
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(read.error().message.find(words), std::string::npos) << read.error().message;
  }
}

/// Items of which some cannot be read, and whose sizes may differ.
class PatchyDataset : public Dataset {
 public:
  explicit PatchyDataset(std::vector<std::int64_t> widths) : widths_(std::move(widths)) {
    info_.name = "patchy";
    ids_.resize(widths_.size());
    std::iota(ids_.begin(), ids_.end(), std::int64_t{100});
  }
  const DatasetInfo& info() const override { return info_; }
  std::int64_t size() const override { return static_cast<std::int64_t>(ids_.size()); }
  std::span<const std::int64_t> ids() const override { return ids_; }
  std::span<const std::int64_t> labels() const override { return ids_; }
  std::string itemName(std::int64_t index) const override { return "item" + std::to_string(index); }
  Expected<Sample> read(std::int64_t index) const override {
    const std::int64_t width = widths_[static_cast<std::size_t>(index)];
    if (width == 0) {
      return fail(ErrorCode::kMalformed, itemName(index) + " is broken");
    }
    return Sample(image(1, width, 1,
                        std::vector<std::uint8_t>(static_cast<std::size_t>(width),
                                                  static_cast<std::uint8_t>(index))));
  }

 private:
  DatasetInfo info_;
  std::vector<std::int64_t> widths_;
  std::vector<std::int64_t> ids_;
};

std::vector<std::int64_t> range(std::int64_t count) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), std::int64_t{0});
  return values;
}

TEST(LoadBatch, leavesUnreadableItemsOutAndListsThem) {
  for (const int threads : {1, 3}) {
    RunContext context;
    context.threads = threads;
    const PatchyDataset dataset({0, 2, 2, 0, 2, 0});
    const auto batch = loadBatch(dataset, range(6), asStored(), context);
    ASSERT_TRUE(batch) << batch.error().message;
    EXPECT_EQ(batch->inputs.shape(), (std::vector<std::int64_t>{3, 1, 1, 2}));
    EXPECT_EQ(valuesOf(batch->inputs), (std::vector<float>{1, 1, 2, 2, 4, 4}));
    EXPECT_EQ(batch->indices, (std::vector<std::int64_t>{1, 2, 4}));
    EXPECT_EQ(batch->unreadable, (std::vector<std::int64_t>{0, 3, 5}));
    EXPECT_EQ(batch->unreadable_reasons[1], "item3 is broken");
  }
}

TEST(LoadBatch, nothingReadableIsAnEmptyBatch) {
  const auto batch = loadBatch(PatchyDataset({0, 0}), range(2), asStored(), RunContext());
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->inputs.size(), 0);
  EXPECT_EQ(batch->unreadable.size(), 2U);
}

TEST(LoadBatch, differentSizesAreAnErrorThatNamesTwoUnlessTheyAreResized) {
  const PatchyDataset dataset({2, 2, 3, 2});
  Preprocessing preprocessing = asStored();
  const auto refused = loadBatch(dataset, range(4), preprocessing, RunContext());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("item0 is 1 x 1 x 2, but item2 is 1 x 1 x 3"),
            std::string::npos)
      << refused.error().message;
  preprocessing.height = 2;
  preprocessing.width = 2;
  const auto resized = loadBatch(dataset, range(4), preprocessing, RunContext());
  ASSERT_TRUE(resized) << resized.error().message;
  EXPECT_EQ(resized->inputs.shape(), (std::vector<std::int64_t>{4, 1, 2, 2}));
}

TEST(LoadBatch, budgetCancelAndWrongPreprocessingAreErrors) {
  const PatchyDataset dataset({2, 2});
  RunContext small;
  small.memory_budget_bytes = 8;
  EXPECT_EQ(loadBatch(dataset, range(2), asStored(), small).error().code, ErrorCode::kOutOfMemory);
  RunContext stopped;
  stopped.control()->requestCancel();
  EXPECT_EQ(loadBatch(dataset, range(2), asStored(), stopped).error().code, ErrorCode::kCancelled);
  Preprocessing wrong = asStored();
  wrong.scale = 0.0;
  EXPECT_EQ(loadBatch(dataset, range(2), wrong, RunContext()).error().code,
            ErrorCode::kInvalidArgument);
}

TEST(LoadBatch, doesNotDependOnThreads) {
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

TEST(LoadBatch, theWholeMnistTestSet) {
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

TEST(DisplayImage, realsAreStretchedAndVectorsHaveNone) {
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

TEST(ContentHash, dependsOnContentButNotOnOrderOrParts) {
  const std::vector<float> a{1, 2, 3};
  const std::vector<float> b{4, 5, 6};
  const auto hashOf = [](auto... items) {
    ContentHash hash;
    (hash.add(std::get<0>(items), std::get<1>(items), std::get<2>(items)), ...);
    return hash.hex();
  };
  using Item = std::tuple<int, int, std::vector<float>>;
  const std::string base = hashOf(Item{0, 7, a}, Item{1, 2, b});
  EXPECT_EQ(base.size(), 16U);
  EXPECT_EQ(hashOf(Item{1, 2, b}, Item{0, 7, a}), base);
  ContentHash first;
  first.add(0, 7, a);
  ContentHash second;
  second.add(1, 2, b);
  first.merge(second);
  EXPECT_EQ(first.hex(), base);
  EXPECT_EQ(first.count(), 2);
  EXPECT_NE(hashOf(Item{0, 7, b}, Item{1, 2, a}), base) << "inputs belong to ids";
  EXPECT_NE(hashOf(Item{0, 2, a}, Item{1, 7, b}), base) << "labels belong to ids";
  EXPECT_NE(hashOf(Item{0, 7, a}), base);
  EXPECT_NE(hashOf(Item{0, 7, {1, 2, 4}}, Item{1, 2, b}), base) << "odd tails count";
  EXPECT_NE(hashOf(Item{0, 7, {1, 2}}), hashOf(Item{0, 7, {1, 2, 0}}));
}

}  // namespace
}  // namespace dubito
