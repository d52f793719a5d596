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
  EXPECT_THAT(refused.error().message, HasSubstr("'cat', 'dog'"));
  EXPECT_THAT(refused.error().remedy.settings,
              testing::ElementsAre(datasetSetting("classes"), datasetSetting("role", "ood")));
  EXPECT_FALSE(mapLabelsByName(Labels{2}, dataset, model));
}

using Numbers = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

TEST(UnnamedMatch, AsManyClassesAreTakenInTheirOrderAndThatIsSaid) {
  const auto match = matchUnnamed({"cat", "dog", "owl"}, 3);
  ASSERT_OK(match);
  EXPECT_EQ(match->model_class, (Numbers{0, 1, 2}));
  EXPECT_THAT(match->note, HasSubstr("were taken for them: 0 cat, 1 dog, 2 owl"));
}

TEST(UnnamedMatch, AnotherNumberOfClassesIsRefused) {
  for (const std::int64_t outputs : {2, 29}) {
    const auto match = matchUnnamed({"B", "D", "V"}, outputs);
    ASSERT_FALSE(match);
    EXPECT_THAT(
        match.error().message,
        HasSubstr("the dataset's 3 classes (B, D, V) cannot be matched with the network's " +
                  std::to_string(outputs) + " outputs, which have no names; name them"));
    EXPECT_THAT(
        match.error().remedy.settings,
        testing::ElementsAre(metadataSetting("classes"), setting("metadata"),
                             datasetSetting("role", "ood"), datasetSetting("role", "unlabelled")));
  }
  EXPECT_FALSE(matchUnnamed({"0", "1", "12"}, 10));
  EXPECT_FALSE(matchUnnamed({"0", "1", "x"}, 10));
  EXPECT_FALSE(matchUnnamed({"-1", "1"}, 10));
}

TEST(UnnamedMatch, NamesThatAreNumbersCountAsNumbers) {
  const auto some = matchUnnamed({"1", "3", "7"}, 10);
  ASSERT_OK(some);
  EXPECT_EQ(some->model_class, (Numbers{1, 3, 7}));
  EXPECT_THAT(some->note, HasSubstr("taken for their numbers"));
  const auto all = matchUnnamed({"0", "1", "2"}, 3);
  ASSERT_OK(all);
  EXPECT_EQ(all->model_class, (Numbers{0, 1, 2}));
  EXPECT_EQ(all->note, "") << "nothing was assumed";
  const auto padded = matchUnnamed({"00", "01", "02"}, 3);
  ASSERT_OK(padded);
  EXPECT_EQ(padded->model_class, (Numbers{0, 1, 2}));
  const auto from_one = matchUnnamed({"1", "2", "3"}, 3);
  ASSERT_OK(from_one);
  EXPECT_EQ(from_one->model_class, (Numbers{0, 1, 2}));
  EXPECT_THAT(from_one->note, HasSubstr("0 1, 1 2, 2 3"));
}

TEST(UnnamedMatch, NumbersInTheOrderOfTextAreNotClear) {
  // torchvision's ImageFolder counts 0, 1, 10, 11, 2, ...
  Names names{"0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9"};
  const auto match = matchUnnamed(names, 12);
  ASSERT_FALSE(match);
  EXPECT_THAT(match.error().message, HasSubstr("whether they are counted in this order or by"));
  EXPECT_EQ(match.error().remedy.settings, matchUnnamed({"B"}, 2).error().remedy.settings);
}

}  // namespace
}  // namespace dubito
