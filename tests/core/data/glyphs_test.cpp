// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>

#include "core/data/items/dataset.h"

namespace dubito {
namespace {

DatasetPtr open(const std::string& options) {
  RunContext context;
  const auto dataset = openDataset("synthetic:glyphs" + options, context);
  EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message);
  return dataset ? *dataset : nullptr;
}

std::vector<double> pixelsOf(const Dataset& dataset, std::int64_t index) {
  const auto sample = dataset.read(index);
  const Image8& image = std::get<Image8>(*sample);
  EXPECT_EQ(image.pixels.shape(), (std::vector<std::int64_t>{28, 28, 1}));
  return {image.pixels.values().begin(), image.pixels.values().end()};
}

TEST(Glyphs, TheClassIsTheCharacter) {
  const auto all = open("?n=100");
  ASSERT_EQ(all->size(), 100);
  ASSERT_EQ(all->info().class_names.size(), 36U);
  EXPECT_EQ(all->info().class_names[3], "3");
  EXPECT_EQ(all->info().class_names[10], "A");
  EXPECT_EQ(all->info().class_names[35], "Z");
  EXPECT_EQ(all->labels()[35], 35);
  EXPECT_EQ(all->labels()[36], 0);
  EXPECT_EQ(open("?n=50&classes=10")->info().class_names.back(), "9");
  const auto letters = open("?n=100&classes=A,B");
  ASSERT_EQ(letters->size(), 6);
  EXPECT_EQ(letters->ids()[0], 10);
}

TEST(Glyphs, AnItemDependsOnSeedAndPositionAlone) {
  const auto few = open("?n=80&seed=5");
  const auto many = open("?n=5000&seed=5&items=70:");
  EXPECT_EQ(pixelsOf(*few, 71), pixelsOf(*many, 1));
  EXPECT_EQ(pixelsOf(*few, 71), pixelsOf(*few, 71));
  EXPECT_NE(pixelsOf(*few, 71), pixelsOf(*few, 35)) << "the same character in another pose";
  EXPECT_NE(pixelsOf(*few, 71), pixelsOf(*open("?n=80&seed=6"), 71));
}

TEST(Glyphs, NoiseHasItsStandardDeviation) {
  const auto clean = open("?n=400&seed=1&noise=0");
  const auto noisy = open("?n=400&seed=1&noise=0.05");
  double squares = 0.0;
  double count = 0.0;
  for (std::int64_t item = 0; item < 400; ++item) {
    const std::vector<double> with = pixelsOf(*noisy, item);
    const std::vector<double> without = pixelsOf(*clean, item);
    for (std::size_t i = 0; i < with.size(); ++i) {
      // Away from black and white nothing is cut off.
      if (without[i] > 80.0 && without[i] < 175.0) {
        squares += std::pow(with[i] - without[i], 2);
        ++count;
      }
    }
  }
  ASSERT_GT(count, 5000.0);
  // Rounding both to whole numbers adds 1/6 to the variance.
  EXPECT_NEAR(std::sqrt(squares / count - 1.0 / 6.0), 0.05 * 255.0, 0.4);
}

TEST(Glyphs, PoseVariesButTheWholeCharacterStaysInside) {
  const auto clean = open("?n=3600&seed=2&noise=0");
  double leftmost = 28.0;
  double rightmost = 0.0;
  for (std::int64_t item = 0; item < 3600; ++item) {
    const std::vector<double> pixels = pixelsOf(*clean, item);
    double mass = 0.0;
    double x = 0.0;
    double edge = 0.0;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const std::size_t column = i % 28;
      const std::size_t row = i / 28;
      mass += pixels[i];
      x += pixels[i] * static_cast<double>(column);
      edge += row == 0 || row == 27 || column == 0 || column == 27 ? pixels[i] : 0.0;
    }
    ASSERT_GT(mass / 255.0, 20.0) << item;
    ASSERT_LT(mass / 255.0, 300.0) << item;
    EXPECT_LT(edge, 0.1 * mass) << item;
    leftmost = std::min(leftmost, x / mass);
    rightmost = std::max(rightmost, x / mass);
  }
  EXPECT_LT(leftmost, 11.5);
  EXPECT_GT(rightmost, 15.5);
}

TEST(Glyphs, CharactersDifferMoreThanPoses) {
  // The mean images of the classes, over many poses, tell new items apart well above chance.
  const auto train = open("?n=7200&seed=3&noise=0.1");
  const auto test = open("?n=720&seed=4&noise=0.1");
  std::vector<std::vector<double>> means(36, std::vector<double>(784, 0.0));
  for (std::int64_t item = 0; item < train->size(); ++item) {
    const std::vector<double> pixels = pixelsOf(*train, item);
    std::vector<double>& mean = means[static_cast<std::size_t>(item % 36)];
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      mean[i] += pixels[i] / 200.0;
    }
  }
  int right = 0;
  for (std::int64_t item = 0; item < test->size(); ++item) {
    const std::vector<double> pixels = pixelsOf(*test, item);
    std::size_t best = 0;
    double nearest = INFINITY;
    for (std::size_t k = 0; k < means.size(); ++k) {
      double distance = 0.0;
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        distance += std::pow(pixels[i] - means[k][i], 2);
      }
      if (distance < nearest) {
        nearest = distance;
        best = k;
      }
    }
    right += static_cast<std::int64_t>(best) == test->labels()[static_cast<std::size_t>(item)];
  }
  EXPECT_GT(right, 720 / 2);
}

}  // namespace
}  // namespace dubito
