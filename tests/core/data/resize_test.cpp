// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/pixels/resize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace dubito {
namespace {

std::vector<float> valuesOf(const Array<float>& array) {
  return {array.values().begin(), array.values().end()};
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

TEST(Resize, BilinearIsTheTriangleFilterOfItsDefinition) {
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

TEST(Resize, NearestTakesThePixelAtTheFloor) {
  const auto planes = Array<float>::fromVector({1, 1, 5}, {0, 1, 2, 3, 4});
  EXPECT_EQ(valuesOf(resizePlanes(planes, 1, 3, "nearest")), (std::vector<float>{0, 1, 3}));
  EXPECT_THROW(static_cast<void>(resizePlanes(planes, 1, 3, "lanczos")), std::invalid_argument);
}

TEST(Resize, BicubicOfAConstantIsTheConstant) {
  const auto flat = Array<float>::fromVector({1, 9, 9}, std::vector<float>(81, 7.0F));
  const Array<float> resized = resizePlanes(flat, 4, 5, "bicubic");
  for (const float value : resized.values()) {
    EXPECT_NEAR(value, 7.0F, 1e-5F);
  }
}

}  // namespace
}  // namespace dubito
