// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/item_positions.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/data/sources/array_dataset.h"

namespace dubito {
namespace {

/// The dataset numbers its items from 0.
ArrayDataset datasetOf(std::int64_t items) {
  return {{}, Array<float>::zeros({items, 1}), std::vector<std::int64_t>(items, -1)};
}

std::vector<std::int64_t> listed(const ItemPositions& positions) {
  std::vector<std::int64_t> list;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    list.push_back(positions[row]);
  }
  return list;
}

TEST(ItemPositions, AreFoundByIds) {
  const ArrayDataset dataset = datasetOf(4);
  for (const std::vector<std::int64_t>& ids :
       {std::vector<std::int64_t>{0, 1, 2, 3}, {0, 1}, {3, 0, 2}, {0, 9, 2, -1}, {2, 2}, {}}) {
    std::vector<std::int64_t> expected;
    for (const std::int64_t id : ids) {
      expected.push_back(id >= 0 && id < 4 ? id : -1);
    }
    EXPECT_EQ(positionsOfIds(dataset, ids), expected);
    EXPECT_EQ(listed(ItemPositions(positionsOfIds(dataset, ids))), expected);
  }
}

TEST(ItemPositions, OfNothingAreEmpty) {
  EXPECT_TRUE(ItemPositions().empty());
  EXPECT_TRUE(ItemPositions(std::vector<std::int64_t>()).empty());
  EXPECT_FALSE(ItemPositions(std::vector<std::int64_t>{0}).empty());
}

}  // namespace
}  // namespace dubito
