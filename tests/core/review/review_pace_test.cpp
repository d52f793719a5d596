// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/review_pace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "core/labels/label_store.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Journal = std::vector<RecordedDecision>;

/// Adds a step about `count` items from `first` on.
void addStep(Journal& journal, std::int64_t time_ms, std::int64_t first, std::int64_t count,
             const std::string& who = "anna") {
  const std::int64_t step = journal.empty() ? 1 : journal.back().step + 1;
  for (std::int64_t item = first; item < first + count; ++item) {
    journal.push_back(
        {.sequence = static_cast<std::int64_t>(journal.size()) + 1,
         .step = step,
         .decision = {
             .item = item, .class_id = 0, .annotator = who, .time_ms = 1'000'000 + time_ms}});
  }
}

TEST(ReviewPaceTest, ABatchOfManyTakesTheWholeTimeOfItsStep) {
  for (const std::int64_t count : {1, 5, 60, 300}) {
    for (const std::int64_t spent : {200, 12'000, 59'000}) {
      Journal journal;
      addStep(journal, 0, 0, 1);
      addStep(journal, spent, 1, count);
      const ReviewPace pace = paceOf(journal);
      EXPECT_EQ(pace.images, count);
      EXPECT_DOUBLE_EQ(pace.perMinute(),
                       60'000.0 * static_cast<double>(count) / static_cast<double>(spent));
    }
  }
}

TEST(ReviewPaceTest, AnUndoneStepLeavesWithItsTime) {
  Journal journal;
  addStep(journal, 0, 0, 1);
  addStep(journal, 10'000, 1, 5);
  addStep(journal, 12'000, 6, 60);  // too fast, and taken back
  const ReviewPace with = paceOf(journal);
  for (RecordedDecision& recorded : journal) {
    recorded.undone = recorded.step == 3;
  }
  addStep(journal, 22'000, 6, 5);  // once more, with care
  const ReviewPace pace = paceOf(journal);
  EXPECT_EQ(with.images, 65);
  EXPECT_EQ(pace.images, 10);
  EXPECT_DOUBLE_EQ(pace.spent_ms, 20'000.0);  // 10 s before the undone step, 10 s after it
  EXPECT_DOUBLE_EQ(pace.perMinute(), 30.0);
}

TEST(ReviewPaceTest, AnImageCountsOnceForAPersonAndSkippingTakesTimeOnly) {
  Journal journal;
  addStep(journal, 0, 0, 1);
  addStep(journal, 4'000, 1, 1);
  addStep(journal, 7'000, 1, 1);  // thought better of it
  addStep(journal, 9'000, 2, 1);
  journal.back().decision.action = LabelAction::kSkip;
  addStep(journal, 12'000, 1, 1, "ben");
  addStep(journal, 15'000, 2, 1, "ben");
  const ReviewPace pace = paceOf(journal);
  EXPECT_EQ(pace.images, 2);                  // 1 by anna, 2 by ben
  EXPECT_DOUBLE_EQ(pace.spent_ms, 12'000.0);  // 4 + 3 + 2 by anna, 3 by ben
}

TEST(ReviewPaceTest, ABreakIsLeftOutButAPageOfManyMayTakeLonger) {
  Journal journal;
  addStep(journal, 0, 0, 1);
  addStep(journal, 60'000, 1, 1);      // a minute
  addStep(journal, 120'001, 2, 1);     // more: a break
  addStep(journal, 240'001, 3, 60);    // 2 s each
  addStep(journal, 360'002, 100, 60);  // more
  addStep(journal, 300'000, 200, 1);   // the clock was set back
  journal.push_back(journal.back());   // labels of the model are no work
  journal.back().step += 1;
  journal.back().decision.origin = LabelOrigin::kModel;
  journal.back().decision.time_ms += 1'000;
  const ReviewPace pace = paceOf(journal);
  EXPECT_EQ(pace.images, 61);
  EXPECT_DOUBLE_EQ(pace.spent_ms, 180'000.0);
}

TEST(ReviewPaceTest, AStretchLastsTenSecondsAndHasFiveImages) {
  Journal journal;
  addStep(journal, 0, 0, 1);
  for (std::int64_t page = 0; page < 6; ++page) {
    addStep(journal, 4'000 * (page + 1), 100 * (page + 1), 20);  // pages of twenty in 4 s
  }
  for (std::int64_t i = 0; i < 6; ++i) {
    addStep(journal, 24'000 + 6'000 * (i + 1), 1000 + i, 1);  // one by one in 6 s
  }
  const ReviewPace pace = paceOf(journal);
  ASSERT_EQ(pace.stretches.size(), 3U);
  EXPECT_EQ(pace.stretches[0].decisions, 60);
  EXPECT_DOUBLE_EQ(pace.stretches[0].per_minute, 300.0);
  EXPECT_DOUBLE_EQ(pace.stretches[1].per_minute, 300.0);
  EXPECT_EQ(pace.stretches[2].decisions, 125);
  EXPECT_DOUBLE_EQ(pace.stretches[2].per_minute, 10.0);
  EXPECT_TRUE(std::isnan(paceOf({}).perMinute()));
}

/// The definition in the plainest words: every step looks back for the one before it.
ReviewPace plainPace(const Journal& journal) {
  ReviewPace pace;
  for (const RecordedDecision& one : journal) {
    const bool first_of_step =
        &one == &*std::ranges::find(journal, one.step, &RecordedDecision::step);
    if (!first_of_step || one.undone || one.decision.origin != LabelOrigin::kPerson) {
      continue;
    }
    double before = -1.0;
    double size = 0.0;
    std::int64_t images = 0;
    for (const RecordedDecision& other : journal) {
      if (other.step < one.step && other.decision.annotator == one.decision.annotator &&
          other.decision.origin == LabelOrigin::kPerson) {
        before = static_cast<double>(other.decision.time_ms);
      }
      if (other.step != one.step) {
        continue;
      }
      size += 1.0;
      bool counts = settles(other.decision.action);
      for (const RecordedDecision& earlier : journal) {
        counts = counts && !(earlier.sequence < other.sequence && !earlier.undone &&
                             earlier.decision.origin == LabelOrigin::kPerson &&
                             earlier.decision.annotator == other.decision.annotator &&
                             earlier.decision.item == other.decision.item &&
                             settles(earlier.decision.action));
      }
      images += counts ? 1 : 0;
    }
    const double spent = static_cast<double>(one.decision.time_ms) - before;
    if (before >= 0.0 && spent >= 0.0 && spent <= std::max(60'000.0, 2'000.0 * size)) {
      pace.images += images;
      pace.spent_ms += spent;
    }
  }
  return pace;
}

TEST(ReviewPaceTest, IsThatOfThePlainDefinition) {
  std::mt19937_64 random(7);
  const auto below = [&random](std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  };
  for (int trial = 0; trial < 200; ++trial) {
    Journal journal;
    std::int64_t clock = 0;
    for (int step = 0; step < 30; ++step) {
      clock += below(4) == 0 ? below(200'000) : below(20'000);
      const std::int64_t count = below(3) == 0 ? 1 + below(60) : 1;
      addStep(journal, clock, below(50), count, below(2) == 0 ? "anna" : "ben");
      const bool undone = below(4) == 0;
      const bool model = below(8) == 0;
      for (std::size_t i = journal.size() - static_cast<std::size_t>(count); i < journal.size();
           ++i) {
        journal[i].undone = undone;
        journal[i].decision.origin = model ? LabelOrigin::kModel : LabelOrigin::kPerson;
        journal[i].decision.action = below(6) == 0 ? LabelAction::kSkip : LabelAction::kAccept;
      }
    }
    const ReviewPace pace = paceOf(journal);
    const ReviewPace plain = plainPace(journal);
    ASSERT_EQ(pace.images, plain.images) << trial;
    ASSERT_DOUBLE_EQ(pace.spent_ms, plain.spent_ms) << trial;
    for (std::size_t i = 1; i < pace.stretches.size(); ++i) {
      ASSERT_GE(pace.stretches[i].decisions, pace.stretches[i - 1].decisions + 5);
    }
  }
}

TEST(ReviewPaceTest, UndoAndRedoChangeNothing) {
  const test::TempDir folder;
  auto opened = LabelStore::open(folder.file("a.labels"), StoreMode::kOpenOrCreate);
  ASSERT_OK(opened);
  LabelStore& store = **opened;
  ASSERT_OK(store.belongTo({.name = "d", .spec = {}, .fingerprint = {}},
                           std::vector<std::string>{"cat", "dog"}));
  Journal made;
  addStep(made, 0, 0, 1);
  addStep(made, 12'000, 1, 6);
  addStep(made, 30'000, 10, 60);
  for (std::size_t begin = 0, end = 0; begin < made.size(); begin = end) {
    std::vector<Decision> step;
    for (end = begin; end < made.size() && made[end].step == made[begin].step; ++end) {
      step.push_back(made[end].decision);
    }
    ASSERT_OK(store.decide(step));
  }
  const ReviewPace before = paceOf(store.journal().value());
  EXPECT_DOUBLE_EQ(before.perMinute(), 132.0);
  ASSERT_OK(store.undo("anna"));
  EXPECT_EQ(paceOf(store.journal().value()).images, 6);
  ASSERT_OK(store.redo("anna"));
  const ReviewPace after = paceOf(store.journal().value());
  EXPECT_EQ(after.images, before.images);
  EXPECT_EQ(after.spent_ms, before.spent_ms);
  ASSERT_EQ(after.stretches.size(), before.stretches.size());
  for (std::size_t i = 0; i < after.stretches.size(); ++i) {
    EXPECT_EQ(after.stretches[i].per_minute, before.stretches[i].per_minute);
  }
}

}  // namespace
}  // namespace dubito
