// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/class_progress.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

PresentLabel label(std::int64_t item, LabelAction action, std::optional<std::int64_t> class_id = {},
                   LabelOrigin origin = LabelOrigin::kPerson) {
  PresentLabel one;
  one.item = item;
  one.action = action;
  one.class_id = class_id;
  one.origin = origin;
  return one;
}

TEST(ClassProgress, CountsDecidedAndChangedItemsByGivenLabel) {
  dubito::Run run;
  run.ids = Array<std::int64_t>::fromVector({10, 11, 12, 13, 14, 15, 16});
  run.labels = Array<std::int64_t>::fromVector({0, 0, 1, 2, 2, -1, 0});
  LabelRecords records;
  // Hounds count as dogs.
  records.classes = {{.id = 0, .name = "cat"},
                     {.id = 1, .name = "dog"},
                     {.id = 2, .name = "hound", .merged_into = 1}};
  records.labels = {label(10, LabelAction::kAccept, 0),
                    label(11, LabelAction::kCorrect, 1),
                    label(12, LabelAction::kNotInClasses),
                    label(13, LabelAction::kAccept, 1),
                    label(14, LabelAction::kSkip),
                    label(15, LabelAction::kAccept, 1),                       // had no label
                    label(16, LabelAction::kAccept, 0, LabelOrigin::kModel),  // nobody looked
                    label(99, LabelAction::kAccept, 0)};                      // of another run
  std::unordered_map<std::int64_t, std::int64_t> row_of;
  for (std::int64_t row = 0; row < 7; ++row) {
    row_of[10 + row] = row;
  }
  const auto progress = classProgress(run, records, row_of);
  ASSERT_EQ(progress.size(), 2U);
  EXPECT_EQ(progress[0].given, 0);
  EXPECT_EQ(progress[0].items, 3);
  EXPECT_EQ(progress[0].decided, 2);
  EXPECT_EQ(progress[0].changed, 1);
  EXPECT_EQ(progress[1].given, 1);
  EXPECT_EQ(progress[1].items, 3);
  EXPECT_EQ(progress[1].decided, 2);
  EXPECT_EQ(progress[1].changed, 1);
}

}  // namespace
}  // namespace dubito
