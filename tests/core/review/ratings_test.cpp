// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/ratings.h"

#include <gtest/gtest.h>

#include "core/metrics/agreement.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using Row = std::vector<std::int64_t>;

/// A journal as a store returns it.
class Journal {
 public:
  RecordedDecision& add(const std::string& annotator, std::int64_t item, LabelAction action,
                        std::optional<std::int64_t> class_id = {}) {
    RecordedDecision recorded;
    recorded.sequence = static_cast<std::int64_t>(entries.size()) + 1;
    recorded.step = recorded.sequence;
    recorded.decision.item = item;
    recorded.decision.action = action;
    recorded.decision.class_id = class_id;
    recorded.decision.annotator = annotator;
    entries.push_back(recorded);
    return entries.back();
  }

  std::vector<RecordedDecision> entries;
};

const std::vector<LabelClass> kClasses{{.id = 0, .name = "cat"},
                                       {.id = 1, .name = "dog"},
                                       {.id = 2, .name = "hound", .merged_into = 1}};

TEST(Ratings, AreTheNewestDecisionsOfEachPerson) {
  Journal journal;
  journal.add("ben", 7, LabelAction::kAccept, 0);
  journal.add("anna", 7, LabelAction::kCorrect, 1);
  journal.add("anna", 5, LabelAction::kAccept, 2);  // counts as 1
  journal.add("ben", 5, LabelAction::kNotInClasses);
  journal.add("ben", 7, LabelAction::kCorrect, 1);
  journal.add("ben", 9, LabelAction::kAmbiguous);
  journal.add("anna", 9, LabelAction::kCorrect, 0);
  journal.add("anna", 9, LabelAction::kSkip);
  journal.add("carl", 5, LabelAction::kFlag);
  journal.add("anna", 11, LabelAction::kAccept, 0).undone = true;
  journal.add("model", 7, LabelAction::kAccept, 0).decision.origin = LabelOrigin::kModel;
  const Ratings ratings = ratingsOf(journal.entries, kClasses);
  EXPECT_EQ(ratings.annotators, (std::vector<std::string>{"anna", "ben"}));
  EXPECT_EQ(ratings.items, (Row{5, 7, 9}));
  ASSERT_EQ(ratings.ratings.size(), 2U);
  EXPECT_EQ(ratings.ratings[0], (Row{1, 1, -1}));
  EXPECT_EQ(ratings.ratings[1], (Row{3, 1, 4}));
  EXPECT_EQ(ratings.ratedTwice(), 2);
}

TEST(Ratings, GiveAgreement) {
  Journal journal;
  for (std::int64_t item = 0; item < 20; ++item) {
    journal.add("anna", item, LabelAction::kAccept, item % 2);
    journal.add("ben", item, LabelAction::kAccept, item < 15 ? item % 2 : 0);
  }
  const Ratings ratings = ratingsOf(journal.entries, kClasses);
  EXPECT_EQ(ratings.ratedTwice(), 20);
  // Items 15, 17 and 19 differ: p_o = 17/20, p_e = (10 13 + 10 7) / 400 = 1/2.
  const CohenAgreement cohen = cohenAgreement(ratings.ratings[0], ratings.ratings[1]);
  ASSERT_TRUE(cohen.kappa);
  EXPECT_NEAR(*cohen.kappa, 0.7, 1e-12);
}

TEST(Ratings, OfAnEmptyJournalAreEmpty) {
  const Ratings ratings = ratingsOf({}, kClasses);
  EXPECT_TRUE(ratings.annotators.empty());
  EXPECT_EQ(ratings.ratedTwice(), 0);
  EXPECT_FALSE(fleissAgreement(ratings.ratings).kappa);
}

}  // namespace
}  // namespace dubito
