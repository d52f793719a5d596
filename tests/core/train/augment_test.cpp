// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/augment.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "core/train/augmented_inputs_torch.h"

namespace dubito {
namespace {

TEST(EpochOrder, IsAPermutationOfItsOwnForEachEpochAndSeed) {
  const auto first = epochOrder(1000, 1, 0);
  auto sorted = first;
  std::sort(sorted.begin(), sorted.end());
  for (std::int64_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(sorted[static_cast<std::size_t>(i)], i);
  }
  EXPECT_EQ(first, epochOrder(1000, 1, 0));
  EXPECT_NE(first, epochOrder(1000, 1, 1));
  EXPECT_NE(first, epochOrder(1000, 2, 0));
}

// All 24 orders of four items are equally frequent: chi-squared with 23 degrees of freedom.
TEST(EpochOrder, IsUniform) {
  std::map<std::vector<std::int64_t>, int> counts;
  constexpr int kDraws = 24000;
  for (int epoch = 0; epoch < kDraws; ++epoch) {
    ++counts[epochOrder(4, 9, epoch)];
  }
  ASSERT_EQ(counts.size(), 24U);
  double chi_squared = 0.0;
  for (const auto& [order, count] : counts) {
    chi_squared += (count - 1000.0) * (count - 1000.0) / 1000.0;
  }
  EXPECT_LT(chi_squared, 60.0);
}

TEST(RandomShift, CoversItsRangeEvenly) {
  std::map<std::int64_t, int> down;
  std::map<std::int64_t, int> right;
  for (std::int64_t item = 0; item < 5000; ++item) {
    const Shift shift = randomShift(3, 2, item, 2);
    ++down[shift.down];
    ++right[shift.right];
  }
  for (std::int64_t value = -2; value <= 2; ++value) {
    EXPECT_NEAR(down[value], 1000, 150) << value;
    EXPECT_NEAR(right[value], 1000, 150) << value;
  }
  EXPECT_EQ(down.size(), 5U);
  EXPECT_EQ(right.size(), 5U);
}

TEST(ShiftImage, MovesAndRepeatsTheEdge) {
  const std::array<float, 6> image{1, 2, 3,  //
                                   4, 5, 6};
  std::array<float, 6> moved{};
  shiftImage(image.data(), moved.data(), 1, 2, 3, {0, 1});
  EXPECT_EQ(moved, (std::array<float, 6>{1, 1, 2, 4, 4, 5}));
  shiftImage(image.data(), moved.data(), 1, 2, 3, {1, -1});
  EXPECT_EQ(moved, (std::array<float, 6>{2, 3, 3, 2, 3, 3}));
  shiftImage(image.data(), moved.data(), 1, 2, 3, {-1, 0});
  EXPECT_EQ(moved, (std::array<float, 6>{4, 5, 6, 4, 5, 6}));
  shiftImage(image.data(), moved.data(), 1, 2, 3, {-9, 9});
  EXPECT_EQ(moved, (std::array<float, 6>{4, 4, 4, 4, 4, 4}));
  shiftImage(image.data(), moved.data(), 2, 1, 3, {0, -9});
  EXPECT_EQ(moved, (std::array<float, 6>{3, 3, 3, 6, 6, 6}));
}

TEST(RandomFlip, IsAFairCoinOfSeedEpochAndItem) {
  int flips = 0;
  int agreements_of_epochs = 0;
  int agreements_of_seeds = 0;
  for (std::int64_t item = 0; item < 10000; ++item) {
    const bool flip = randomFlip(3, 2, item);
    flips += flip ? 1 : 0;
    agreements_of_epochs += flip == randomFlip(3, 3, item) ? 1 : 0;
    agreements_of_seeds += flip == randomFlip(4, 2, item) ? 1 : 0;
    ASSERT_EQ(flip, randomFlip(3, 2, item));
  }
  for (const int count : {flips, agreements_of_epochs, agreements_of_seeds}) {
    EXPECT_NEAR(count, 5000, 250);  // five standard deviations
  }
}

// Uniform in [-30, 30]: mean 0, variance 300, both within five standard errors.
TEST(RandomAngle, IsUniform) {
  double sum = 0.0;
  double squares = 0.0;
  for (std::int64_t item = 0; item < 10000; ++item) {
    const double angle = randomAngle(3, 2, item, 30.0);
    ASSERT_LE(std::abs(angle), 30.0);
    sum += angle;
    squares += angle * angle;
  }
  EXPECT_NEAR(sum / 10000.0, 0.0, 0.87);
  EXPECT_NEAR(squares / 10000.0, 300.0, 13.5);
  EXPECT_NE(randomAngle(3, 2, 7, 30.0), randomAngle(3, 3, 7, 30.0));
}

TEST(FlipImage, MirrorsEveryRowAndTwiceIsTheImage) {
  const std::vector<float> image{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<float> flipped = image;
  flipImage(flipped.data(), 2, 2, 3);
  EXPECT_EQ(flipped, (std::vector<float>{3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10}));
  flipImage(flipped.data(), 2, 2, 3);
  EXPECT_EQ(flipped, image);
}

std::vector<float> rotated(const std::vector<float>& image, std::int64_t channels,
                           std::int64_t height, std::int64_t width, double degrees) {
  std::vector<float> result(image.size());
  rotateImage(image.data(), result.data(), channels, height, width, degrees);
  return result;
}

TEST(RotateImage, ByNothingIsTheImage) {
  std::vector<float> image(2 * 5 * 4);
  for (std::size_t i = 0; i < image.size(); ++i) {
    image[i] = 0.1F * static_cast<float>(i * i);
  }
  EXPECT_EQ(rotated(image, 2, 5, 4, 0.0), image);
}

TEST(RotateImage, TurnsCounterClockwise) {
  const std::vector<float> image{1, 2, 3,  //
                                 4, 5, 6,  //
                                 7, 8, 9};
  const std::map<double, std::vector<float>> expected{{90.0, {3, 6, 9, 2, 5, 8, 1, 4, 7}},
                                                      {180.0, {9, 8, 7, 6, 5, 4, 3, 2, 1}},
                                                      {-90.0, {7, 4, 1, 8, 5, 2, 9, 6, 3}}};
  for (const auto& [degrees, turned] : expected) {
    const std::vector<float> result = rotated(image, 1, 3, 3, degrees);
    for (std::size_t i = 0; i < turned.size(); ++i) {
      EXPECT_NEAR(result[i], turned[i], 1e-5) << degrees << ", " << i;
    }
  }
}

// Bilinear interpolation is exact for a plane a x + b y, away from the edges.
TEST(RotateImage, TurnsAPlaneExactly) {
  constexpr std::int64_t kSide = 21;
  std::vector<float> image(kSide * kSide);
  for (std::int64_t y = 0; y < kSide; ++y) {
    for (std::int64_t x = 0; x < kSide; ++x) {
      image[static_cast<std::size_t>(y * kSide + x)] =
          2.0F * static_cast<float>(x - 10) - 0.5F * static_cast<float>(y - 10);
    }
  }
  const double angle = 17.0 * std::numbers::pi / 180.0;
  const std::vector<float> result = rotated(image, 1, kSide, kSide, 17.0);
  for (std::int64_t y = 5; y < 16; ++y) {
    for (std::int64_t x = 5; x < 16; ++x) {
      const auto dx = static_cast<double>(x - 10);
      const auto up = static_cast<double>(10 - y);
      // The pixel comes from where it was before the turn.
      const double from_x = std::cos(angle) * dx + std::sin(angle) * up;
      const double from_up = std::cos(angle) * up - std::sin(angle) * dx;
      EXPECT_NEAR(result[static_cast<std::size_t>(y * kSide + x)], 2.0 * from_x + 0.5 * from_up,
                  1e-5);
    }
  }
}

// Whatever the number of threads and the other items of the batch.
TEST(AugmentedInputs, AreRotatedThenMirroredThenShifted) {
  constexpr std::int64_t kItems = 40;
  std::vector<float> pixels(kItems * 2 * 5 * 6);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = static_cast<float>(i * i % 97);
  }
  Batch batch;
  batch.inputs = Array<float>::fromVector({kItems, 2, 5, 6}, pixels);
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < kItems; ++i) {
    rows.push_back(3 * i);
  }
  TrainOptions options;
  options.shift = 2;
  for (const double rotation : {0.0, 25.0}) {
    for (const bool flip : {false, true}) {
      options.augmentation.rotation = rotation;
      options.augmentation.flip = flip;
      RunContext context;
      context.seed = 9;
      context.threads = 3;
      const at::Tensor found = augmentedInputs(batch, rows, options, 4, context).contiguous();
      for (std::int64_t i = 0; i < kItems; ++i) {
        const std::int64_t row = rows[static_cast<std::size_t>(i)];
        std::vector<float> image(pixels.begin() + i * 60, pixels.begin() + (i + 1) * 60);
        std::vector<float> turned(60);
        rotateImage(image.data(), turned.data(), 2, 5, 6,
                    rotation > 0.0 ? randomAngle(9, 4, row, rotation) : 0.0);
        if (flip && randomFlip(9, 4, row)) {
          flipImage(turned.data(), 2, 5, 6);
        }
        shiftImage(turned.data(), image.data(), 2, 5, 6, randomShift(9, 4, row, 2));
        const float* const begin = found.const_data_ptr<float>() + i * 60;
        ASSERT_EQ(std::vector<float>(begin, begin + 60), image) << i;
      }
    }
  }
}

}  // namespace
}  // namespace dubito
