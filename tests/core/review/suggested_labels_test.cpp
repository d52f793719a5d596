// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/suggested_labels.h"

#include <gtest/gtest.h>

#include <string>

namespace dubito {
namespace {

/// Records of items 0 to 9 of the classes cat and dog; the suggestion is always cat.
class SuggestedLabelsTest : public testing::Test {
 protected:
  SuggestedLabelsTest() {
    records_.classes = {{.id = 0, .name = "cat"}, {.id = 1, .name = "dog"}};
    for (std::int64_t item = 0; item < 10; ++item) {
      row_of_.emplace(item, item);
    }
  }
  Decision& decide(std::int64_t step, std::int64_t item, std::optional<std::int64_t> class_id,
                   std::int64_t spent_ms) {
    const auto sequence = static_cast<std::int64_t>(records_.journal.size()) + 1;
    const LabelAction action = class_id ? LabelAction::kCorrect : LabelAction::kNotInClasses;
    std::erase_if(records_.labels,
                  [item](const PresentLabel& label) { return label.item == item; });
    records_.labels.push_back(
        {.item = item, .action = action, .class_id = class_id, .sequence = sequence});
    records_.journal.push_back({.sequence = sequence,
                                .step = step,
                                .decision = {.item = item,
                                             .action = action,
                                             .class_id = class_id,
                                             .spent_ms = spent_ms,
                                             .probs = {0.9F, 0.1F}}});
    return records_.journal.back().decision;
  }
  [[nodiscard]] SuggestedLabels counts() const { return suggestedLabels(records_, row_of_); }

  LabelRecords records_;
  std::unordered_map<std::int64_t, std::int64_t> row_of_;
};

TEST_F(SuggestedLabelsTest, AreCountedWithThoseThatNobodyHasSeenClosely) {
  decide(1, 0, 0, 3000);
  decide(2, 1, 0, 400);                           // too fast
  decide(3, 2, 0, 400).prediction_shown = false;  // fast, but nothing to repeat
  decide(4, 3, 0, 2000);                          // three in one step
  decide(4, 4, 0, 2000);
  decide(4, 5, 1, 2000);               // another class
  decide(5, 6, {}, 3000);              // none of the classes
  decide(6, 7, 0, 0);                  // unknown time
  decide(7, 8, 0, 500).probs.clear();  // unknown suggestion
  decide(8, 99, 0, 500);               // no item of the run
  const SuggestedLabels result = counts();
  EXPECT_EQ(result.labels, 8);
  EXPECT_EQ(result.as_suggested, 6);
  EXPECT_EQ(result.hardly_seen, 3);
}

TEST_F(SuggestedLabelsTest, OnlyTheNewestDecisionCountsAndMergesDo) {
  decide(1, 0, 0, 300);
  decide(2, 0, 1, 5000);
  EXPECT_EQ(counts().labels, 1);
  EXPECT_EQ(counts().as_suggested, 0);
  records_.classes[0].merged_into = 1;  // cat counts as dog
  EXPECT_EQ(counts().as_suggested, 1);
  EXPECT_EQ(counts().hardly_seen, 0);
}

}  // namespace
}  // namespace dubito
