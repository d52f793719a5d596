// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/corruption_spec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/data/images/corrupted_dataset.h"
#include "core/data/pixels/corrupted.h"
#include "core/data/sources/dataset_spec.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using Kind = CorruptionKind;

/// A grey image whose pixels are given.
Sample image(std::int64_t height, std::int64_t width, const std::vector<int>& pixels) {
  std::vector<std::uint8_t> bytes;
  for (const int pixel : pixels) {
    bytes.push_back(static_cast<std::uint8_t>(pixel));
  }
  return Image8{Array<std::uint8_t>::fromVector({height, width, 1}, bytes)};
}

/// 40 x 40 grey with a bright bar over the middle rows, in colour where asked for.
Sample bar(std::int64_t channels = 1) {
  Array<std::uint8_t> pixels = Array<std::uint8_t>::zeros({40, 40, channels});
  for (std::int64_t y = 0; y < 40; ++y) {
    for (std::int64_t i = 0; i < 40 * channels; ++i) {
      pixels.mutableData()[y * 40 * channels + i] =
          static_cast<std::uint8_t>(y >= 18 && y < 22 ? 220 : 60);
    }
  }
  return Image8{pixels};
}

Array<std::uint8_t> pixelsOf(const Expected<Sample>& sample) {
  EXPECT_TRUE(sample);
  return std::get<Image8>(*sample).pixels;
}

double meanOf(const Array<std::uint8_t>& pixels) {
  double sum = 0.0;
  for (const std::uint8_t pixel : pixels.values()) {
    sum += pixel;
  }
  return sum / static_cast<double>(pixels.size());
}

double deviationOf(const Array<std::uint8_t>& pixels) {
  const double mean = meanOf(pixels);
  double sum = 0.0;
  for (const std::uint8_t pixel : pixels.values()) {
    sum += (pixel - mean) * (pixel - mean);
  }
  return std::sqrt(sum / static_cast<double>(pixels.size()));
}

TEST(Corruption, SeverityZeroChangesNothingAndEveryKindKeepsTheShape) {
  for (const Kind kind : allCorruptions()) {
    for (const std::int64_t channels : {1, 3}) {
      const Sample sample = bar(channels);
      EXPECT_TRUE(std::ranges::equal(pixelsOf(corrupted(sample, {kind, 0.0}, 7)).values(),
                                     std::get<Image8>(sample).pixels.values()));
      for (const double severity : {0.5, 1.0, 5.0, 24.0}) {
        const Array<std::uint8_t> changed = pixelsOf(corrupted(sample, {kind, severity}, 7));
        EXPECT_EQ(changed.shape(), std::get<Image8>(sample).pixels.shape()) << toString(kind);
        if (severity == 5.0) {
          EXPECT_FALSE(
              std::ranges::equal(changed.values(), std::get<Image8>(sample).pixels.values()))
              << toString(kind);
        }
      }
    }
  }
}

TEST(Corruption, BrightnessAndContrastAreWhatTheySay) {
  const Sample sample = image(1, 4, {0, 100, 200, 250});
  EXPECT_TRUE(std::ranges::equal(pixelsOf(corrupted(sample, {Kind::kBrightness, 1.0}, 0)).values(),
                                 std::vector<std::uint8_t>{26, 126, 226, 255}));
  // Mean 137.5, distances times 1 - 0.36.
  EXPECT_TRUE(std::ranges::equal(pixelsOf(corrupted(sample, {Kind::kContrast, 2.0}, 0)).values(),
                                 std::vector<std::uint8_t>{50, 114, 178, 210}));
}

TEST(Corruption, AnInversionEndsAtTheNegative) {
  const Sample sample = image(1, 4, {0, 100, 200, 255});
  const auto inverted = [&sample](double severity) {
    const Array<std::uint8_t> pixels = pixelsOf(corrupted(sample, {Kind::kInversion, severity}, 0));
    return std::vector<std::uint8_t>(pixels.values().begin(), pixels.values().end());
  };
  EXPECT_EQ(inverted(1.0), (std::vector<std::uint8_t>{51, 111, 171, 204}));
  EXPECT_EQ(inverted(5.0), (std::vector<std::uint8_t>{255, 155, 55, 0}));
  EXPECT_EQ(inverted(24.0), inverted(5.0));
}

TEST(Corruption, NoiseHasItsDeviationAndIsKeyedByTheItem) {
  const Sample flat = image(60, 60, std::vector<int>(3600, 128));
  const Array<std::uint8_t> first = pixelsOf(corrupted(flat, {Kind::kNoise, 2.0}, 5));
  EXPECT_NEAR(meanOf(first), 128.0, 2.5);
  EXPECT_NEAR(deviationOf(first), 0.12 * 255.0, 1.5);
  EXPECT_TRUE(std::ranges::equal(first.values(),
                                 pixelsOf(corrupted(flat, {Kind::kNoise, 2.0}, 5)).values()));
  EXPECT_FALSE(std::ranges::equal(first.values(),
                                  pixelsOf(corrupted(flat, {Kind::kNoise, 2.0}, 6)).values()));
}

TEST(Corruption, BlurKeepsTheMeanAndSpreadsAPointAsAGaussian) {
  std::vector<int> pixels(61 * 61, 0);
  pixels[30 * 61 + 30] = 255;
  // As real numbers, so that nothing is rounded.
  std::vector<float> numbers(pixels.begin(), pixels.end());
  const auto spread =
      corrupted(Array<float>::fromVector({61, 61, 1}, numbers), {Kind::kBlur, 2.0}, 0);
  ASSERT_TRUE(spread);
  const Array<float>& blurred = std::get<Array<float>>(*spread);
  const double deviation = 2.0 / 60.0 * 61.0;
  const double peak = blurred.data()[30 * 61 + 30];
  for (const int offset : {1, 3, 5}) {
    const double expected = std::exp(-0.5 * offset * offset / (deviation * deviation));
    EXPECT_NEAR(blurred.data()[30 * 61 + 30 + offset] / peak, expected, 1e-4);
    EXPECT_NEAR(blurred.data()[(30 + offset) * 61 + 30] / peak, expected, 1e-4);
  }
  EXPECT_NEAR(std::accumulate(blurred.values().begin(), blurred.values().end(), 0.0), 255.0, 0.1);
  const Array<std::uint8_t> soft = pixelsOf(corrupted(bar(), {Kind::kBlur, 3.0}, 0));
  EXPECT_NEAR(meanOf(soft), meanOf(std::get<Image8>(bar()).pixels), 0.6);
  EXPECT_LT(deviationOf(soft), deviationOf(std::get<Image8>(bar()).pixels));
}

TEST(Corruption, RotationTurnsCounterClockwiseAboutTheCentre) {
  // A quarter turn brings the right neighbour of the centre above it.
  const Sample cross = image(3, 3, {0, 10, 0, 20, 30, 40, 0, 50, 0});
  EXPECT_TRUE(std::ranges::equal(pixelsOf(corrupted(cross, {Kind::kRotation, 6.0}, 0)).values(),
                                 std::vector<std::uint8_t>{0, 40, 0, 10, 30, 50, 0, 20, 0}));
  // Once around is where it began; so is every image that is not square.
  const Array<std::uint8_t> around = pixelsOf(corrupted(bar(), {Kind::kRotation, 24.0}, 0));
  const Array<std::uint8_t> before = std::get<Image8>(bar()).pixels;
  for (std::int64_t i = 0; i < around.size(); ++i) {
    EXPECT_NEAR(around.data()[i], before.data()[i], 1) << i;
  }
  const Sample wide = image(2, 4, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_TRUE(std::ranges::equal(pixelsOf(corrupted(wide, {Kind::kRotation, 12.0}, 0)).values(),
                                 std::vector<std::uint8_t>{8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST(Corruption, AnOcclusionCoversItsShareSomewhere) {
  std::vector<int> ramp(50 * 50);
  for (std::size_t i = 0; i < ramp.size(); ++i) {
    ramp[i] = i % 2 == 0 ? 0 : 254;
  }
  const Sample sample = image(50, 50, ramp);
  std::vector<std::size_t> places;
  for (const std::int64_t id : {1, 2, 3}) {
    const Array<std::uint8_t> covered = pixelsOf(corrupted(sample, {Kind::kOcclusion, 2.0}, id));
    const auto values = covered.values();
    EXPECT_NEAR(static_cast<double>(std::ranges::count(values, 127)), 0.16 * 2500.0, 1e-9);
    places.push_back(static_cast<std::size_t>(std::ranges::find(values, 127) - values.begin()));
  }
  EXPECT_FALSE(places[0] == places[1] && places[1] == places[2]);
}

TEST(Corruption, VectorsKnowNoiseAlone) {
  const Sample vector = Array<float>::fromVector({1.0F, -3.0F, 2.0F});
  const auto noisy = corrupted(vector, {Kind::kNoise, 1.0}, 3);
  ASSERT_TRUE(noisy);
  EXPECT_EQ(std::get<Array<float>>(*noisy).size(), 3);
  EXPECT_NE(std::get<Array<float>>(*noisy).data()[0], 1.0F);
  const auto blurred = corrupted(vector, {Kind::kBlur, 1.0}, 3);
  ASSERT_FALSE(blurred);
  EXPECT_EQ(blurred.error().code, ErrorCode::kUnsupported);
}

TEST(Corruption, IsAnOptionOfEveryDataset) {
  RunContext context;
  const auto plain = openDataset("synthetic:glyphs?n=20&seed=3", context);
  const auto turned =
      openDataset("synthetic:glyphs?n=20&seed=3&corrupt=rotation:2&items=5:10", context);
  ASSERT_TRUE(plain && turned) << turned.error().message;
  EXPECT_EQ((*turned)->size(), 5);
  EXPECT_EQ((*turned)->ids()[0], (*plain)->ids()[5]);
  EXPECT_EQ((*turned)->labels()[1], (*plain)->labels()[6]);
  EXPECT_THAT((*turned)->info().name, HasSubstr("rotation 2"));
  const auto again = openDataset((*turned)->info().spec, context);
  ASSERT_OK(again);
  const auto expected = corrupted(*(*plain)->read(5), {Kind::kRotation, 2.0}, (*plain)->ids()[5]);
  for (const DatasetPtr& dataset :
       {*turned, *again, corruptedDataset(*plain, {Kind::kRotation, 2.0})}) {
    const std::int64_t index = dataset->size() == 5 ? 0 : 5;
    EXPECT_TRUE(
        std::ranges::equal(pixelsOf(dataset->read(index)).values(), pixelsOf(expected).values()));
  }
  const auto named =
      openDataset(corruptedDataset(*plain, {Kind::kBlur, 1.5})->info().spec, context);
  ASSERT_OK(named);
  EXPECT_THAT((*named)->info().name, HasSubstr("blur 1.5"));
  for (const char* const wrong : {"noise", "noise:", "noise:-1", "noise:25", "rain:2", "blur:x"}) {
    const auto refused =
        openDataset(std::string("synthetic:glyphs?n=20&corrupt=") + wrong, context);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().message, HasSubstr(", as in noise:3"));
    EXPECT_THAT(refused.error().remedy.settings,
                testing::ElementsAre(datasetSetting("corrupt", "noise:3")));
  }
}

}  // namespace
}  // namespace dubito
