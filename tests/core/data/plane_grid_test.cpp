// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/plane_grid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/data/sources/array_dataset.h"

namespace dubito {
namespace {

Array<float> vectors(std::int64_t count, std::int64_t length) {
  auto values = Array<float>::zeros({count, length});
  for (std::int64_t i = 0; i < values.size(); ++i) {
    values.mutableData()[i] = static_cast<float>(i);
  }
  return values;
}

TEST(PlaneGrid, IsPlanarForVectorsOfTwoAlone) {
  EXPECT_TRUE(isPlanar(ArrayDataset({}, vectors(3, 2), {0, 1, 0})));
  EXPECT_FALSE(isPlanar(ArrayDataset({}, vectors(3, 3), {0, 1, 0})));
  EXPECT_FALSE(isPlanar(ArrayDataset({}, Array<std::uint8_t>::zeros({2, 4, 4, 1}), {0, 1})));
}

TEST(PlaneGrid, PositionsAreTheNumbersOfTheItems) {
  const Array<double> positions = planePositions(ArrayDataset({}, vectors(3, 2), {0, 1, 0}));
  ASSERT_EQ(positions.shape(), (std::vector<std::int64_t>{3, 2}));
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(positions.data()[i], static_cast<double>(i));
  }
  EXPECT_TRUE(std::isnan(planePositions(ArrayDataset({}, vectors(1, 3), {0})).data()[0]));
}

TEST(PlaneGrid, CellsGoRowByRowFromTheLowestCorner) {
  const DatasetPtr grid = makePlaneGrid({0.0, 4.0}, {-1.0, 1.0}, 4, 2);
  ASSERT_EQ(grid->size(), 8);
  EXPECT_EQ(grid->ids()[7], 7);
  const Array<double> positions = planePositions(*grid);
  const std::vector<double> expected{0.5, -0.5, 1.5, -0.5, 2.5, -0.5, 3.5, -0.5,
                                     0.5, 0.5,  1.5, 0.5,  2.5, 0.5,  3.5, 0.5};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_FLOAT_EQ(static_cast<float>(positions.data()[i]), static_cast<float>(expected[i]));
  }
  EXPECT_THROW((void)makePlaneGrid({1.0, 1.0}, {0.0, 1.0}, 2, 2), std::invalid_argument);
  EXPECT_THROW((void)makePlaneGrid({0.0, 1.0}, {0.0, 1.0}, 0, 2), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
