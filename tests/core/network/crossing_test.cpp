// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/crossing_torch.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

namespace dubito {
namespace {

using Kind = CrossingLayout::Kind;

/// [outer, items, inner] numbers that tell everything apart, as a vector.
at::Tensor numbered(std::int64_t outer, std::int64_t items, std::int64_t inner,
                    std::int64_t copies = 1) {
  return at::sin(at::arange(0, outer * items * inner, at::kFloat))
      .reshape({outer, items, inner})
      .repeat({1, copies, 1})
      .flatten();
}

TEST(Crossing, FindsWhereTheItemsAreInsideAnAxis) {
  for (const auto& [outer, inner] : {std::pair<std::int64_t, std::int64_t>{1, 6}, {6, 1}, {2, 3}}) {
    const auto layout = findLayout(numbered(outer, 4, inner), numbered(outer, 4, inner, 2), 4);
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->kind, Kind::kRows);
    EXPECT_EQ(layout->outer, outer);
    // Another batch of another size.
    const at::Tensor batch = numbered(outer, 7, inner);
    EXPECT_TRUE(hasLayout(*layout, batch, 7));
    EXPECT_FALSE(hasLayout(*layout, batch, 6));
    EXPECT_TRUE(
        repeatItems(*layout, batch, 7, 3, false).toTensor().equal(numbered(outer, 7, inner, 3)));
  }
}

TEST(Crossing, FindsTheAxis) {
  const at::Tensor once = at::randn({5, 3, 2});
  const auto layout = findLayout(once, once.repeat({1, 2, 1}), 3);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->axis, 1);
  EXPECT_EQ(bytesOf(*layout, once), 120);
  EXPECT_TRUE(repeatItems(*layout, once, 3, 4, false).toTensor().equal(once.repeat({1, 4, 1})));
}

TEST(Crossing, CountsWhatGrowsWithTheItems) {
  const auto layout = findLayout(std::int64_t{4 * 6 + 5}, std::int64_t{8 * 6 + 5}, 4);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->kind, Kind::kCount);
  EXPECT_EQ(repeatItems(*layout, std::int64_t{10 * 6 + 5}, 10, 3, false).toInt(), 30 * 6 + 5);
  EXPECT_FALSE(hasLayout(*layout, std::int64_t{10 * 7 + 5}, 10));
  const auto of_tensor =
      findLayout(at::scalar_tensor(8, at::kLong), at::scalar_tensor(16, at::kLong), 4);
  ASSERT_TRUE(of_tensor);
  EXPECT_EQ(repeatItems(*of_tensor, at::scalar_tensor(20, at::kLong), 10, 5, false)
                .toTensor()
                .item<std::int64_t>(),
            100);
}

TEST(Crossing, LooksInsideTuplesAndLists) {
  const at::Tensor once = at::randn({2, 3});
  const auto value = [](const at::Tensor& rows, std::int64_t count) {
    return c10::IValue(std::tuple<c10::List<at::Tensor>, c10::List<std::int64_t>, bool>(
        {rows, at::ones({4})}, {count, 9}, true));
  };
  const auto layout = findLayout(value(once, 2), value(once.repeat({2, 1}), 4), 2);
  ASSERT_TRUE(layout);
  const c10::IValue thrice = repeatItems(*layout, value(once, 2), 2, 3, false);
  const auto& elements = thrice.toTupleRef().elements();
  EXPECT_TRUE(elements[0].toTensorVector().at(0).equal(once.repeat({3, 1})));
  EXPECT_EQ(elements[0].toTensorVector().at(1).sizes(), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(elements[1].toIntVector(), (std::vector<std::int64_t>{6, 9}));
  EXPECT_TRUE(elements[2].toBool());
}

TEST(Crossing, CopiesOnlyWhereToldTo) {
  const at::Tensor rows = at::ones({2, 3});
  const CrossingLayout fixed;
  EXPECT_TRUE(repeatItems(fixed, rows, 2, 1, false).toTensor().is_same(rows));
  EXPECT_FALSE(repeatItems(fixed, rows, 2, 1, true).toTensor().is_same(rows));
  const c10::List<at::Tensor> list({rows});
  const c10::IValue copied = repeatItems(fixed, list, 2, 1, true);
  EXPECT_FALSE(copied.is(c10::IValue(list)));
  EXPECT_FALSE(copied.toTensorVector().at(0).is_same(rows));
}

TEST(Crossing, RefusesWhatDoesNotFollow) {
  const at::Tensor grid = at::ones({4, 4});
  EXPECT_FALSE(findLayout(grid, at::ones({8, 8}), 4)) << "two axes grow";
  EXPECT_FALSE(findLayout(grid, at::ones({5, 4}), 4)) << "one row more";
  EXPECT_FALSE(findLayout(at::arange(4), at::arange(8), 4)) << "numbers that go on";
  EXPECT_FALSE(findLayout(std::int64_t{4}, std::int64_t{7}, 4)) << "no whole number an item";
  EXPECT_FALSE(findLayout(true, false, 4));
  EXPECT_FALSE(findLayout(c10::IValue(), grid, 4));
}

}  // namespace
}  // namespace dubito
