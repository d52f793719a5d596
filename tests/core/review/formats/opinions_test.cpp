// SPDX-License-Identifier: GPL-3.0-or-later
// Several labels of one item: which one counts.
#include "core/review/formats/opinions.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/review/formats/store_labels.h"
#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Rows of one item: class, annotator and time each.
struct Opinion {
  std::int64_t class_id;
  std::string annotator = {};
  std::int64_t time_ms = 0;
};

LabelTable tableOf(const std::vector<Opinion>& opinions) {
  LabelTable table;
  table.classes = {{.id = 0, .name = "cat"},
                   {.id = 1, .name = "dog"},
                   {.id = 2, .name = "kitten", .merged_into = 0}};
  for (const Opinion& each : opinions) {
    LabelRow row;
    row.path = "a.png";
    row.class_id = each.class_id;
    row.annotator = each.annotator;
    row.time_ms = each.time_ms;
    table.rows.push_back(row);
  }
  return table;
}

WeighedLabels weigh(const std::vector<Opinion>& opinions) {
  std::vector<std::size_t> rows(opinions.size());
  std::iota(rows.begin(), rows.end(), 0U);
  return weighLabels(tableOf(opinions), rows);
}

TEST(Opinions, TheMajorityCounts) {
  const WeighedLabels weighed = weigh({{0, "ann"}, {1, "ben"}, {1, "cem"}});
  EXPECT_EQ(weighed.counts, 1U) << "the first with that class";
  EXPECT_THAT(weighed.others, ElementsAre(0, 2));
  EXPECT_TRUE(weighed.differ);
  EXPECT_FALSE(weighed.tie);
  EXPECT_EQ(weighed.dropped, 0U);
}

TEST(Opinions, InATieTheFirstCounts) {
  const WeighedLabels weighed = weigh({{1, "ann"}, {0, "ben"}});
  EXPECT_EQ(weighed.counts, 0U);
  EXPECT_THAT(weighed.others, ElementsAre(1));
  EXPECT_TRUE(weighed.differ);
  EXPECT_TRUE(weighed.tie);
}

TEST(Opinions, APersonHasOneTheNewest) {
  const WeighedLabels weighed = weigh({{0, "ann", 3}, {0, "ann", 1}, {1, "ann", 5}, {1, "ben", 2}});
  EXPECT_EQ(weighed.counts, 2U);
  EXPECT_FALSE(weighed.differ);
  EXPECT_THAT(weighed.others, ElementsAre(3));
  EXPECT_EQ(weighed.dropped, 2U);
}

TEST(Opinions, MergedClassesAreOne) {
  const WeighedLabels weighed = weigh({{1, "ann"}, {0, "ben"}, {2, "cem"}});
  EXPECT_EQ(weighed.counts, 1U);
  EXPECT_FALSE(weighed.tie);
}

TEST(Opinions, WithoutANameEachRowIsOneAndNobodyKeepsIt) {
  const WeighedLabels weighed = weigh({{0}, {1}, {1}});
  EXPECT_EQ(weighed.counts, 1U);
  EXPECT_THAT(weighed.others, IsEmpty());
  EXPECT_EQ(weighed.dropped, 2U);
  EXPECT_THROW((void)weighLabels({}, {}), std::invalid_argument);
}

/// Into a store, each person keeps the label, and the majority is the newest.
TEST(Opinions, BecomeDecisionsOfTheirPersons) {
  LabelTable table = tableOf({{0, "ann"}, {1, "ben"}, {1, "cem"}});
  LabelRow other = table.rows[0];
  other.path = "b.png";
  table.rows.push_back(other);
  const std::vector<std::optional<std::int64_t>> items{7, 7, 7, 8};
  const ImportedDecisions imported = decisionsOf(table, items, table.classes, {}, {});
  ASSERT_EQ(imported.decisions.size(), 4U);
  EXPECT_EQ(imported.opinions, 2U);
  std::vector<std::string> lines;
  for (const Decision& decision : imported.decisions) {
    lines.push_back(std::to_string(decision.item) + ' ' + decision.annotator + ' ' +
                    std::to_string(*decision.class_id));
  }
  EXPECT_THAT(lines, ElementsAre("7 ann 0", "7 cem 1", "7 ben 1", "8 ann 0"));
  EXPECT_THAT(test::texts(imported.notes),
              ElementsAre("images with different labels; the majority counts: 1 "
                          "('a.png: cat, dog')"));
}

TEST(Opinions, InATieAreNoted) {
  const LabelTable table = tableOf({{1}, {0}});
  const std::vector<std::optional<std::int64_t>> items{7, 7};
  const ImportedDecisions imported = decisionsOf(table, items, table.classes, {}, {});
  ASSERT_EQ(imported.decisions.size(), 1U);
  EXPECT_EQ(imported.decisions[0].class_id, 1);
  EXPECT_THAT(
      test::texts(imported.notes),
      ElementsAre("images with different labels and no majority; the first counts: 1 "
                  "('a.png: cat, dog')",
                  "repeated labels, and labels without the name of a person next to others, left "
                  "out: 1"));
}

}  // namespace
}  // namespace dubito
