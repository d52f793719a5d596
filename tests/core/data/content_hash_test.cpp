// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/content_hash.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace dubito {
namespace {

TEST(ContentHash, DependsOnContentButNotOnOrderOrParts) {
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
