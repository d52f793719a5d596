// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/label_table.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

TEST(ClassNames, FollowMerges) {
  const std::vector<LabelClass> classes{{.id = 0, .name = "a", .merged_into = 2},
                                        {.id = 1, .name = "b"},
                                        {.id = 2, .name = "c", .merged_into = 9},
                                        {.id = 9, .name = "d"}};
  const ClassNames names(classes);
  EXPECT_EQ(names.text(0), "d");
  EXPECT_EQ(names.merged(2), 9);
  EXPECT_EQ(*names.of(1), "b");
  EXPECT_EQ(names.of(std::nullopt), nullptr);
  EXPECT_EQ(names.text(std::nullopt), "");
  EXPECT_THROW((void)names.of(3), std::invalid_argument);
}

TEST(ClassNames, EndForMergesThatFormARing) {
  const std::vector<LabelClass> classes{{.id = 0, .name = "a", .merged_into = 1},
                                        {.id = 1, .name = "b", .merged_into = 0}};
  EXPECT_NE(ClassNames(classes).of(0), nullptr);
}

TEST(ClassIds, AreStableAndUnique) {
  std::vector<LabelClass> classes{{.id = 1, .name = "old"}};
  ClassIds ids(classes);
  EXPECT_EQ(ids.idOf("old"), 1);
  EXPECT_EQ(ids.idOf("first"), 0);
  EXPECT_EQ(ids.idOf("second"), 2);
  EXPECT_EQ(ids.idOf("wanted", 7), 7);
  EXPECT_EQ(ids.idOf("taken", 7), 3);
  EXPECT_EQ(ids.idOf("negative", -1), 4);
  EXPECT_EQ(ids.idOf("wanted", 8), 7);
  EXPECT_EQ(ids.idOf(""), 5);
  EXPECT_EQ(classes.size(), 7U);
}

TEST(LabelTable, AddsUpTheProbabilitiesOfMergedClasses) {
  const std::vector<LabelClass> classes{{.id = 0, .name = "cat"},
                                        {.id = 1, .name = "dog"},
                                        {.id = 2, .name = "kitten", .merged_into = 0},
                                        {.id = 5, .name = "new"}};
  const ClassNames names(classes);
  LabelRow row;
  row.probs = {0.5F, 0.125F, 0.25F, 0.125F};
  EXPECT_EQ(classProbability(row, names), std::nullopt);
  row.class_id = 0;
  EXPECT_EQ(classProbability(row, names), 0.75F);
  row.class_id = 2;
  EXPECT_EQ(classProbability(row, names), 0.75F);
  row.class_id = 1;
  EXPECT_EQ(classProbability(row, names), 0.125F);
  row.class_id = 5;
  EXPECT_EQ(classProbability(row, names), std::nullopt);
  row.probs.clear();
  row.probability = 0.25F;
  EXPECT_EQ(classProbability(row, names), 0.25F);
}

TEST(LabelTable, NamesItemsByPathOrId) {
  LabelRow row;
  EXPECT_EQ(itemText(row), "");
  row.item = 17;
  EXPECT_EQ(itemText(row), "#17");
  row.path = "a.png";
  EXPECT_EQ(itemText(row), "a.png");
}

}  // namespace
}  // namespace dubito
