// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/class_mapping.h"
#include "tests/support/matchers.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

using Names = std::vector<std::string>;
using Labels = std::vector<std::int64_t>;

TEST(MapLabelsByName, NamesDecideAndNotPositions) {
  EXPECT_EQ(*mapLabelsByName(Labels{0, 1, -1, 1}, Names{"cat", "dog"}, Names{"dog", "bird", "cat"}),
            (Labels{2, 0, -1, 0}));
}

TEST(MapLabelsByName, EqualNamesComeBeforeAlikeOnes) {
  EXPECT_EQ(*mapLabelsByName(Labels{0, 1}, Names{"a", "B"}, Names{"A", "b", "a"}), (Labels{2, 1}));
  EXPECT_FALSE(mapLabelsByName(Labels{0}, Names{"Ab"}, Names{"AB", "ab"})) << "which one?";
}

TEST(MapLabelsByName, WithoutNamesNumbersAreKept) {
  EXPECT_EQ(*mapLabelsByName(Labels{5, -1}, {}, Names{"x"}), (Labels{5, -1}));
  EXPECT_EQ(*mapLabelsByName(Labels{5, -1}, Names{"x"}, {}), (Labels{5, -1}));
}

TEST(MapLabelsByName, OnlyClassesWithItemsNeedACounterpart) {
  const Names dataset{"cat", "fish"};
  const Names model{"cat", "dog"};
  EXPECT_EQ(*mapLabelsByName(Labels{0, 0}, dataset, model), (Labels{0, 0}));
  const auto refused = mapLabelsByName(Labels{0, 1}, dataset, model);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("'fish'"));
  EXPECT_THAT(refused.error().message, HasSubstr("cat, dog"));
  EXPECT_FALSE(mapLabelsByName(Labels{2}, dataset, model));
}

}  // namespace
}  // namespace dubito
