// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/vector_picture.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/data/sources/array_dataset.h"

namespace dubito {
namespace {

constexpr int kSide = VectorThumbnails::kSide;

ArrayDataset datasetOf(std::vector<float> numbers, std::int64_t length) {
  const auto count = static_cast<std::int64_t>(numbers.size()) / length;
  auto values = Array<float>::zeros({count, length});
  std::ranges::copy(numbers, values.mutableData());
  return {{}, std::move(values), std::vector<std::int64_t>(static_cast<std::size_t>(count), 0)};
}

int brightest(const Image8& image, bool row) {
  int sum = 0;
  int count = 0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      if (image.pixels.data()[y * kSide + x] == 255) {
        sum += row ? y : x;
        ++count;
      }
    }
  }
  return count == 0 ? -1 : sum / count;
}

TEST(VectorThumbnails, MarkWhereAPointOfThePlaneLies) {
  const ArrayDataset points = datasetOf({0, 0, 10, 10, 10, 0}, 2);
  const VectorThumbnails pictures(points);
  const auto low = pictures.draw(*points.read(0));
  const auto high = pictures.draw(*points.read(1));
  const auto right = pictures.draw(*points.read(2));
  ASSERT_TRUE(low && high && right);
  EXPECT_EQ(low->pixels.shape(), (std::vector<std::int64_t>{kSide, kSide, 1}));
  EXPECT_LT(brightest(*low, false), kSide / 4) << "left";
  EXPECT_GT(brightest(*low, true), 3 * kSide / 4) << "y runs upwards";
  EXPECT_GT(brightest(*high, false), 3 * kSide / 4);
  EXPECT_LT(brightest(*high, true), kSide / 4);
  EXPECT_GT(brightest(*right, false), 3 * kSide / 4);
  EXPECT_GT(brightest(*right, true), 3 * kSide / 4);
}

TEST(VectorThumbnails, ShowLongerVectorsAsBarsFromZero) {
  const ArrayDataset vectors = datasetOf({1, 0, 0, 0, 0, 0, 0, -1}, 4);
  const VectorThumbnails pictures(vectors);
  const auto first = pictures.draw(*vectors.read(0));
  const auto second = pictures.draw(*vectors.read(1));
  ASSERT_TRUE(first && second);
  EXPECT_LT(brightest(*first, false), kSide / 4);
  EXPECT_LT(brightest(*first, true), kSide / 2) << "above zero";
  EXPECT_GT(brightest(*second, false), 3 * kSide / 4);
  EXPECT_GT(brightest(*second, true), kSide / 2) << "below zero";
}

TEST(VectorThumbnails, LeaveImagesToOthers) {
  const ArrayDataset images({}, Array<std::uint8_t>::zeros({2, 4, 4, 1}), {0, 1});
  EXPECT_FALSE(VectorThumbnails(images).draw(*images.read(0)));
}

}  // namespace
}  // namespace dubito
