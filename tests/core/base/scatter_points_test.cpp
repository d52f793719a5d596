// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/scatter_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace dubito {
namespace {

Array<double> arrayOf(std::vector<double> values) {
  return Array<double>::fromVector(std::move(values));
}

ScatterPoints randomPoints(std::size_t n, int cells, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t i = 0; i < n; ++i) {
    // Most lie in one corner, as certain items do.
    x.push_back(std::pow(uniform(random), 3.0));
    y.push_back(3.0 * std::pow(uniform(random), 3.0));
  }
  return makeScatterPoints(arrayOf(x), arrayOf(y), std::vector<std::uint8_t>(n, 0), {0.0, 1.0},
                           {0.0, 3.0}, cells);
}

TEST(ScatterPoints, EveryPointLiesInItsCellAscendingInX) {
  const ScatterPoints points = randomPoints(5000, 23, 1);
  std::int64_t total = 0;
  std::vector<int> seen(5000, 0);
  for (int row = 0; row < 23; ++row) {
    for (int column = 0; column < 23; ++column) {
      const auto cell = static_cast<std::size_t>(row * 23 + column);
      EXPECT_EQ(points.countIn(column, row), points.cell_begin[cell + 1] - points.cell_begin[cell]);
      total += points.countIn(column, row);
      double last = 0.0;
      for (std::int32_t at = points.cell_begin[cell]; at < points.cell_begin[cell + 1]; ++at) {
        const auto i = static_cast<std::size_t>(points.by_cell[static_cast<std::size_t>(at)]);
        ++seen[i];
        EXPECT_EQ(points.columnOf(points.x.data()[i]), column);
        EXPECT_EQ(points.rowOf(points.y.data()[i]), row);
        EXPECT_GE(points.x.data()[i], last);
        last = points.x.data()[i];
      }
    }
  }
  EXPECT_EQ(total, 5000);
  EXPECT_EQ(seen, std::vector<int>(5000, 1));
}

TEST(ScatterPoints, PointsOnAndBeyondTheEdgesBelongToTheOuterCells) {
  const ScatterPoints points =
      makeScatterPoints(arrayOf({0.0, 1.0, -5.0, 0.5}), arrayOf({0.0, 1.0, 9.0, 0.5}), {0, 0, 0, 0},
                        {0.0, 1.0}, {0.0, 1.0}, 2);
  EXPECT_EQ(points.countIn(0, 0), 1);
  EXPECT_EQ(points.countIn(1, 1), 2);  // an inner edge belongs to the cell on its right
  EXPECT_EQ(points.countIn(0, 1), 1);
  EXPECT_EQ(points.countIn(1, 0), 0);
}

TEST(ScatterPoints, TheNearestPointIsThatOfASearchThroughAll) {
  const ScatterPoints points = randomPoints(2000, 31, 2);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-0.05, 1.05);
  int found = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const double x = uniform(random);
    const double y = 3.0 * uniform(random);
    std::optional<std::int32_t> expected;
    double best = 1.0;
    for (std::int32_t i = 0; i < points.size(); ++i) {
      const double dx = (points.x.data()[static_cast<std::size_t>(i)] - x) / 0.05;
      const double dy = (points.y.data()[static_cast<std::size_t>(i)] - y) / 0.1;
      if (dx * dx + dy * dy < best) {
        best = dx * dx + dy * dy;
        expected = i;
      }
    }
    EXPECT_EQ(nearestPoint(points, x, y, 0.05, 0.1), expected);
    found += expected ? 1 : 0;
  }
  EXPECT_GT(found, 50);
  EXPECT_LT(found, 500);
}

TEST(ScatterPoints, OfEqualPointsTheFirstIsNearestAndOfNoneNothing) {
  const ScatterPoints points = makeScatterPoints(arrayOf({0.5, 0.2, 0.2}), arrayOf({0.5, 0.2, 0.2}),
                                                 {0, 1, 2}, {0.0, 1.0}, {0.0, 1.0}, 4);
  EXPECT_EQ(nearestPoint(points, 0.21, 0.21, 0.1, 0.1), 1);
  EXPECT_EQ(nearestPoint(points, 0.9, 0.1, 0.1, 0.1), std::nullopt);
  const ScatterPoints none = makeScatterPoints({}, {}, {}, {0.0, 1.0}, {0.0, 1.0}, 4);
  EXPECT_EQ(nearestPoint(none, 0.5, 0.5, 1.0, 1.0), std::nullopt);
}

TEST(ScatterPoints, ContractBreaksThrow) {
  const auto make = [](std::vector<double> x, std::vector<double> y, Interval range, int cells) {
    return makeScatterPoints(arrayOf(std::move(x)), arrayOf(std::move(y)), {0}, range, {0.0, 1.0},
                             cells);
  };
  EXPECT_THROW(static_cast<void>(make({0.1, 0.2}, {0.1}, {0.0, 1.0}, 3)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(make({std::nan("")}, {0.1}, {0.0, 1.0}, 3)),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(make({0.1}, {0.1}, {1.0, 1.0}, 3)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(make({0.1}, {0.1}, {0.0, 1.0}, 0)), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
