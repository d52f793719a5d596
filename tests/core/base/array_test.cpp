// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/array.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

TEST(Array, SliceAndReshapeShareTheElements) {
  const auto array = Array<int>::fromVector({3, 2}, {0, 1, 2, 3, 4, 5});
  const auto rows = array.slice(1, 3);
  EXPECT_EQ(rows.shape(), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(rows.data(), array.data() + 2);
  EXPECT_EQ(array.reshaped({6}).data(), array.data());
  EXPECT_EQ(array.row(2)[1], 5);
}

TEST(Array, ASliceKeepsTheMemoryAlive) {
  Array<int> rest;
  {
    const auto array = Array<int>::fromVector({4}, {7, 8, 9, 10});
    rest = array.slice(2, 4);
  }
  EXPECT_EQ(rest.values()[0], 9);
  EXPECT_EQ(rest.values()[1], 10);
}

TEST(Array, ZeroExtentsAndRankZero) {
  EXPECT_EQ(Array<float>().size(), 0);
  EXPECT_EQ(Array<float>::zeros({0, 5}).size(), 0);
  EXPECT_EQ(Array<float>::zeros({}).size(), 1);
}

TEST(Array, ContractBreaksThrow) {
  EXPECT_THROW(Array<int>::fromVector({2, 2}, {1, 2, 3}), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(Array<int>::zeros({-1})), std::invalid_argument);
  const auto array = Array<int>::zeros({3});
  EXPECT_THROW(static_cast<void>(array.slice(2, 4)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(array.reshaped({4})), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
