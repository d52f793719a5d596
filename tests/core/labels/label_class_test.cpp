// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labels/label_class.h"

#include <gtest/gtest.h>

#include "core/labels/class_rules.h"
#include "core/labels/decision.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

std::vector<LabelClass> catsAndDogs() {
  return {{.id = 0, .name = "cat"},
          {.id = 1, .name = "dog"},
          {.id = 2, .name = "puppy", .merged_into = 1},
          {.id = 5, .name = "whelp", .merged_into = 2}};
}

TEST(LabelClass, IsFoundByIdAndByNameAndCountsAsWhatItWasMergedInto) {
  const auto classes = catsAndDogs();
  ASSERT_NE(findClass(classes, 5), nullptr);
  EXPECT_EQ(findClass(classes, 5)->name, "whelp");
  EXPECT_EQ(findClass(classes, 3), nullptr);
  ASSERT_NE(findClass(classes, "dog"), nullptr);
  EXPECT_EQ(findClass(classes, "dog")->id, 1);
  EXPECT_EQ(findClass(classes, "puppy"), nullptr);
  EXPECT_EQ(mergedClass(classes, 0), 0);
  EXPECT_EQ(mergedClass(classes, 5), 1);
  EXPECT_EQ(mergedClass(classes, 77), 77);
}

TEST(LabelClass, OfACircleEndsSomewhere) {
  const std::vector<LabelClass> circle{{.id = 0, .name = "a", .merged_into = 1},
                                       {.id = 1, .name = "b", .merged_into = 0}};
  EXPECT_TRUE(mergedClass(circle, 0) == 0 || mergedClass(circle, 0) == 1);
  EXPECT_THAT(wrongWithClasses(circle), HasSubstr("merged into one that does not exist"));
}

TEST(ClassRules, NamesKeysAndColours) {
  EXPECT_EQ(wrongWithClass({.id = 0, .name = "cat", .colour = "#00aaFF", .key = "c"}), "");
  EXPECT_THAT(wrongWithClass({.id = 0, .name = " "}), HasSubstr("is empty"));
  EXPECT_THAT(wrongWithClass({.id = 0, .name = "cat", .key = "cc"}), HasSubstr("'cc'"));
  EXPECT_THAT(wrongWithClass({.id = 0, .name = "cat", .key = "-"}), HasSubstr("letter or digit"));
  EXPECT_THAT(wrongWithClass({.id = 0, .name = "cat", .colour = "red"}), HasSubstr("#rrggbb"));
  EXPECT_THAT(wrongWithClass({.id = 0, .name = "cat", .colour = "#12345g"}), HasSubstr("#rrggbb"));
}

TEST(ClassRules, NamesAndKeysAreUniqueExceptForMergedClasses) {
  auto classes = catsAndDogs();
  EXPECT_EQ(wrongWithClasses(classes), "");
  classes.push_back({.id = 6, .name = "puppy", .key = "p"});
  EXPECT_EQ(wrongWithClasses(classes), "");
  classes.push_back({.id = 7, .name = "wolf", .key = "p"});
  EXPECT_THAT(wrongWithClasses(classes), HasSubstr("the key 'p'"));
  classes.back() = {.id = 7, .name = "cat"};
  EXPECT_THAT(wrongWithClasses(classes), HasSubstr("two classes named 'cat'"));
  classes.back() = {.id = 7, .name = "lynx", .merged_into = 40};
  EXPECT_THAT(wrongWithClasses(classes), HasSubstr("'lynx'"));
}

TEST(Decision, KeysAreReadAsTheyAreWritten) {
  for (int i = 0; i < 6; ++i) {
    const auto action = static_cast<LabelAction>(i);
    EXPECT_EQ(labelActionOfKey(keyOf(action)), action);
  }
  for (int i = 0; i < 3; ++i) {
    const auto origin = static_cast<LabelOrigin>(i);
    EXPECT_EQ(labelOriginOfKey(keyOf(origin)), origin);
  }
  EXPECT_EQ(keyOf(LabelAction::kNotInClasses), "not-in-classes");
  EXPECT_EQ(keyOf(LabelOrigin::kPerson), "person");
  EXPECT_EQ(labelActionOfKey("accepted"), std::nullopt);
  EXPECT_EQ(labelOriginOfKey(""), std::nullopt);
}

TEST(Decision, OnlyAcceptAndCorrectAssignAClassAndSkipAndFlagSettleNothing) {
  EXPECT_TRUE(assignsClass(LabelAction::kAccept));
  EXPECT_TRUE(assignsClass(LabelAction::kCorrect));
  EXPECT_FALSE(assignsClass(LabelAction::kNotInClasses));
  EXPECT_FALSE(assignsClass(LabelAction::kAmbiguous));
  EXPECT_TRUE(settles(LabelAction::kAmbiguous));
  EXPECT_TRUE(settles(LabelAction::kNotInClasses));
  EXPECT_FALSE(settles(LabelAction::kSkip));
  EXPECT_FALSE(settles(LabelAction::kFlag));
}

}  // namespace
}  // namespace dubito
