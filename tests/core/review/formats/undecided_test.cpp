// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/undecided.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/nan.h"
#include "core/io/run.h"
#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class UndecidedLabels : public testing::Test {
 protected:
  void SetUp() override {
    // Class 0 was called "cat" by the network.
    table_.classes = {{.id = 0, .name = "tabby"}, {.id = 1, .name = "dog"}};
    table_.network_classes = {"cat", "dog"};
    const auto add = [this](std::int64_t item, LabelAction action,
                            std::optional<std::int64_t> class_id) {
      LabelRow row;
      row.item = item;
      row.path = std::to_string(item) + ".png";
      row.action = action;
      row.class_id = class_id;
      table_.rows.push_back(row);
    };
    add(1, LabelAction::kAccept, 1);
    add(2, LabelAction::kAmbiguous, std::nullopt);
    add(3, LabelAction::kSkip, std::nullopt);
    for (std::int64_t id = 1; id <= 6; ++id) {
      items_.push_back({.id = id, .path = std::to_string(id) + ".png", .given = 0});
    }
    items_[4].given.reset();
    items_[5].given = 2;
    items_[2].suggested = 1;
    items_[2].probability = 0.9F;
    items_[3].suggested = 0;
    items_[3].probability = 0.5F;
    items_[4].suggested = 0;
    items_[4].probability = static_cast<float>(kNaN);
  }

  std::vector<std::string> add(Undecided undecided, double probability = 0.0) {
    return test::texts(addUndecided(table_, {items_, names_}, undecided, probability));
  }

  LabelTable table_;
  std::vector<UndecidedItem> items_;
  std::vector<std::string> names_{"cat", "dog", "fox"};
};

TEST_F(UndecidedLabels, AreLeftOut) {
  EXPECT_THAT(add(Undecided::kDrop), IsEmpty());
  EXPECT_EQ(table_.rows.size(), 3U);
}

TEST_F(UndecidedLabels, KeepTheGivenLabel) {
  EXPECT_THAT(add(Undecided::kKeep),
              ElementsAre("undecided items that keep the given label: 3",
                          "undecided items without a given label, left out: 1"));
  EXPECT_THAT(test::pathsAndClasses(table_),
              ElementsAre("1.png dog", "2.png ", "3.png tabby", "4.png tabby", "6.png fox"));
  EXPECT_EQ(table_.rows.back().origin, LabelOrigin::kDataset);
  EXPECT_FALSE(table_.rows.back().action);
  EXPECT_FALSE(table_.rows[2].present) << "skipped";
}

TEST_F(UndecidedLabels, GetASuggestionThatIsSureEnough) {
  EXPECT_THAT(add(Undecided::kSuggest, 0.9F),
              ElementsAre(HasSubstr("which they get: 1"),
                          "undecided items without such a suggestion, left out: 3"));
  EXPECT_THAT(test::pathsAndClasses(table_), ElementsAre("1.png dog", "2.png ", "3.png dog"));
  EXPECT_EQ(table_.rows.back().origin, LabelOrigin::kModel);
  EXPECT_EQ(table_.rows.back().probability, 0.9F);
}

/// Label stores keep no probabilities of automatic labels.
TEST_F(UndecidedLabels, GiveTheirScoresToLabelsOfTheModel) {
  table_.rows[0].class_id = 0;
  table_.rows[0].origin = LabelOrigin::kModel;
  table_.rows.push_back(table_.rows[0]);
  table_.rows.back().item = 3;  // of another class than is suggested
  table_.rows.push_back(table_.rows[0]);
  table_.rows.back().item = 4;
  table_.rows.back().origin = LabelOrigin::kPerson;
  items_[0].suggested = 0;
  items_[0].probability = 0.75F;
  EXPECT_EQ(addSuggestedScores(table_, {items_, names_}), 1);
  EXPECT_EQ(table_.rows[0].probability, 0.75F);
  EXPECT_EQ(table_.rows[3].probability, std::nullopt);
  EXPECT_EQ(table_.rows[4].probability, std::nullopt);
}

TEST(Undecided, TakesItemsOfARun) {
  dubito::Run run;
  run.meta.class_names = {"cat", "dog"};
  run.ids = Array<std::int64_t>::fromVector({4, 9});
  run.labels = Array<std::int64_t>::fromVector({-1, 1});
  run.predictions = Array<std::int64_t>::fromVector({1, 0});
  run.confidence = Array<double>::fromVector({0.75, kNaN});
  const dubito::UndecidedItems items = undecidedItemsOf(run);
  EXPECT_THAT(items.class_names, ElementsAre("cat", "dog"));
  ASSERT_EQ(items.items.size(), 2U);
  EXPECT_EQ(items.items[0].id, 4);
  EXPECT_EQ(items.items[0].given, std::nullopt);
  EXPECT_EQ(items.items[0].suggested, 1);
  EXPECT_EQ(items.items[0].probability, 0.75F);
  EXPECT_EQ(items.items[1].given, 1);
  EXPECT_TRUE(std::isnan(items.items[1].probability));
}

TEST(Undecided, HasKeys) {
  for (const Undecided each : {Undecided::kKeep, Undecided::kDrop, Undecided::kSuggest}) {
    EXPECT_EQ(undecidedOfKey(keyOf(each)), each);
  }
  EXPECT_EQ(undecidedOfKey("maybe"), std::nullopt);
}

}  // namespace
}  // namespace dubito
