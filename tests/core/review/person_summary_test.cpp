// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/person_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// A journal as a store returns it, a decision every ten seconds.
class PersonJournal {
 public:
  RecordedDecision& add(const std::string& annotator, std::int64_t item, LabelAction action,
                        std::optional<std::int64_t> class_id = {}) {
    RecordedDecision recorded;
    recorded.sequence = std::ssize(entries) + 1;
    recorded.step = recorded.sequence;
    recorded.decision = {.item = item,
                         .action = action,
                         .class_id = class_id,
                         .annotator = annotator,
                         .time_ms = 10'000 * recorded.sequence};
    entries.push_back(recorded);
    return entries.back();
  }

  std::vector<RecordedDecision> entries;
};

const std::vector<LabelClass> kAnimals{{.id = 0, .name = "cat"},
                                       {.id = 1, .name = "dog"},
                                       {.id = 2, .name = "hound", .merged_into = 1}};

TEST(PersonSummary, CountsWhatIsSharedAndOverturned) {
  PersonJournal journal;
  journal.add("ann", 1, LabelAction::kAccept, 0);
  journal.add("ann", 2, LabelAction::kAccept, 1);
  journal.add("ann", 3, LabelAction::kAccept, 0);
  journal.add("ann", 4, LabelAction::kNotInClasses);
  journal.add("ann", 5, LabelAction::kSkip);
  journal.add("ben", 1, LabelAction::kCorrect, 1);  // overturns
  journal.add("ben", 2, LabelAction::kCorrect, 2);  // says the same: hounds are dogs
  journal.add("ben", 3, LabelAction::kFlag);        // settles nothing
  journal.add("ben", 4, LabelAction::kAmbiguous);   // overturns
  journal.add("ben", 6, LabelAction::kAccept, 0).undone = true;
  journal.add("ann", 4, LabelAction::kAmbiguous);  // she comes round
  journal.add("model", 1, LabelAction::kAccept, 0).decision.origin = LabelOrigin::kModel;
  const auto persons = personSummaries(journal.entries, kAnimals);
  ASSERT_EQ(persons.size(), 2U);
  const PersonSummary& ann = persons[0];
  EXPECT_EQ(ann.annotator, "ann");
  EXPECT_EQ(ann.settled, 4);
  EXPECT_EQ(ann.skipped, 1);
  EXPECT_EQ(ann.flagged, 0);
  EXPECT_EQ(ann.shared, 3);    // 1, 2, 4
  EXPECT_EQ(ann.agreeing, 2);  // 2, 4
  EXPECT_EQ(ann.checked, 2);   // 1, 2
  EXPECT_EQ(ann.overturned, 1);
  const PersonSummary& ben = persons[1];
  EXPECT_EQ(ben.settled, 3);
  EXPECT_EQ(ben.flagged, 1);
  EXPECT_EQ(ben.shared, 3);
  EXPECT_EQ(ben.agreeing, 2);
  EXPECT_EQ(ben.checked, 1);
  EXPECT_EQ(ben.overturned, 0);
  std::vector<RecordedDecision> anns;
  std::ranges::copy_if(journal.entries, std::back_inserter(anns),
                       [](const auto& recorded) { return recorded.decision.annotator == "ann"; });
  EXPECT_GT(ann.pace.images, 0);
  EXPECT_EQ(ann.pace.perMinute(), paceOf(anns).perMinute());
}

TEST(PersonSummary, TakesTheNewestOfSeveralOthers) {
  PersonJournal journal;
  journal.add("ann", 1, LabelAction::kAccept, 0);
  journal.add("ben", 1, LabelAction::kAccept, 1);
  journal.add("carl", 1, LabelAction::kAccept, 0);
  const auto persons = personSummaries(journal.entries, kAnimals);
  ASSERT_EQ(persons.size(), 3U);
  EXPECT_EQ(persons[0].agreeing, 1);  // with Carl
  EXPECT_EQ(persons[0].overturned, 0);
  EXPECT_EQ(persons[1].overturned, 1);
  EXPECT_EQ(persons[2].checked, 0);
  EXPECT_EQ(persons[2].agreeing, 0);  // not with Ben, the newest of the others
}

TEST(PersonSummary, IsEmptyWithoutPersons) {
  EXPECT_TRUE(personSummaries({}, kAnimals).empty());
}

}  // namespace
}  // namespace dubito
