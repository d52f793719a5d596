// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/effect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "core/io/run_needs.h"
#include "core/io/run_summary.h"
#include "core/review/label_errors.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::ElementsAre;

/// Ten items of two classes, ids 100 to 109. Item 100 + i has confidence 0.99 - 0.04 i, so that
/// they are in the order of their uncertainty, and the prediction i % 2.
dubito::Run tenItems(std::vector<std::int64_t> labels) {
  dubito::Run run;
  std::vector<float> probs;
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < 10; ++i) {
    const float confidence = 0.99F - 0.04F * static_cast<float>(i);
    probs.push_back(i % 2 == 0 ? confidence : 1.0F - confidence);
    probs.push_back(i % 2 == 0 ? 1.0F - confidence : confidence);
    ids.push_back(100 + i);
  }
  run.probs = Array<float>::fromVector({10, 2}, std::move(probs));
  run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  fillFromProbs(run, RunContext());
  return run;
}

/// A journal and its labels, without a store.
class Records {
 public:
  Records() {
    for (std::int64_t id = 0; id < 2; ++id) {
      records_.classes.push_back({.id = id, .name = id == 0 ? "cat" : "dog"});
    }
  }
  /// A decision of the person with this name. Class -1: none of the classes; -2: ambiguous.
  Decision& decide(std::int64_t item, std::int64_t class_id, const std::string& who = "anna") {
    Decision decision{.item = item, .annotator = who};
    decision.action = class_id == -1   ? LabelAction::kNotInClasses
                      : class_id == -2 ? LabelAction::kAmbiguous
                                       : LabelAction::kCorrect;
    if (class_id >= 0) {
      decision.class_id = class_id;
    }
    const auto sequence = static_cast<std::int64_t>(journal_.size()) + 1;
    std::erase_if(labels_, [item](const PresentLabel& label) { return label.item == item; });
    labels_.push_back({.item = item,
                       .action = decision.action,
                       .class_id = decision.class_id,
                       .annotator = who,
                       .sequence = sequence});
    journal_.push_back({.sequence = sequence, .step = sequence, .decision = decision});
    return journal_.back().decision;
  }
  void undoLast() {
    journal_.back().undone = true;
    std::erase_if(labels_, [this](const PresentLabel& label) {
      return label.sequence == journal_.back().sequence;
    });
  }
  /// The newest decision becomes part of this step.
  void joinStep(std::int64_t step) { journal_.back().step = step; }
  void addModelLabel(std::int64_t item) {
    labels_.push_back({.item = item, .class_id = 0, .origin = LabelOrigin::kModel});
  }
  [[nodiscard]] ReviewEffect effectOn(const dubito::Run& run) const {
    RunContext context;
    auto effect = reviewEffect(run, "run", records_, context);
    EXPECT_OK(effect);
    return effect.value_or(ReviewEffect());
  }

 private:
  LabelRecords records_;
  std::vector<RecordedDecision>& journal_ = records_.journal;
  std::vector<PresentLabel>& labels_ = records_.labels;
};

TEST(ReviewEffect, ComparesGivenAndReviewedLabelsOverTheSameItems) {
  // Predictions 0 1 0 1 0 1 0 1 0 1; given: 102 and 105 are wrong, 109 has none.
  const dubito::Run run = tenItems({0, 1, 1, 1, 0, 0, 0, 1, 0, -1});
  Records records;
  records.decide(100, 0);
  records.decide(102, 0);   // corrected
  records.decide(105, -1);  // neither cat nor dog
  records.decide(103, 0);   // the network was wrong, too
  records.decide(104, -2);
  records.decide(109, 1);  // no label was given
  records.decide(101, 0);
  records.undoLast();
  records.addModelLabel(108);
  const ReviewEffect effect = records.effectOn(run);
  EXPECT_EQ(effect.items, 10);
  EXPECT_EQ(effect.given, 9);
  EXPECT_EQ(effect.reviewed, 6);
  EXPECT_EQ(effect.unclear, 1);
  EXPECT_EQ(effect.by_model, 1);
  ASSERT_EQ(effect.compared.size(), 4U);
  EXPECT_EQ(effect.changed, 3);
  EXPECT_THAT(effect.classes, ElementsAre(0, 1, kNoneOfClasses));
  // Rows: given cat, dog, none. 100 cat -> cat, 105 cat -> none; 102 and 103 dog -> cat.
  EXPECT_THAT(effect.changes.values(), ElementsAre(1, 0, 1, 2, 0, 0, 0, 0, 0));
  // Given: right are 100 101 103 104 106 107 108, wrong 102 105.
  EXPECT_DOUBLE_EQ(effect.all.given.accuracy, 7.0 / 9.0);
  // Reviewed: 102 becomes right, 103 wrong, 105 stays wrong.
  EXPECT_DOUBLE_EQ(effect.all.reviewed.accuracy, 7.0 / 9.0);
  EXPECT_EQ(effect.all.reviewed.items, 9);
  EXPECT_DOUBLE_EQ(effect.compared_only.given.accuracy, 2.0 / 4.0);
  EXPECT_DOUBLE_EQ(effect.compared_only.reviewed.accuracy, 2.0 / 4.0);
  // Confidences 0.99, 0.91, 0.87, 0.79 are in the bins 15, 14, 14, 12 of 15 (width 0.0667):
  // given (right, wrong, right, wrong): 0.01 + |0.91 + 0.87 - 1| + 0.79 = 1.58
  EXPECT_NEAR(effect.compared_only.given.ece, 1.58 / 4.0, 1e-6);
  // reviewed (right, right, wrong, wrong): the same sums.
  EXPECT_NEAR(effect.compared_only.reviewed.ece, 1.58 / 4.0, 1e-6);
}

TEST(ReviewEffect, CountsFoundErrorsInTheOrderOfTheReview) {
  const dubito::Run run = tenItems({0, 1, 1, 1, 0, 0, 0, 1, 0, -1});
  Records records;
  records.decide(105, 1);
  records.decide(100, 0);
  records.decide(109, 1);  // nothing to compare with
  records.decide(102, 1);  // at first as given
  records.decide(102, 0);  // counts once, with its present label
  const ReviewEffect effect = records.effectOn(run);
  EXPECT_THAT(effect.found.reviewed, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(effect.found.found, ElementsAre(0, 1, 1, 2));
  EXPECT_EQ(effect.found.baseline, BaselineSource::kConfidentLearning);
  RunContext context;
  const auto errors = findLabelErrors(run, "run", {}, context);
  ASSERT_OK(errors);
  EXPECT_DOUBLE_EQ(effect.found.share_at_random,
                   static_cast<double>(std::max<std::int64_t>(errors->estimated, 2)) / 9.0);
}

TEST(ReviewEffect, OfLabelsThatAreTheirOwnSuggestionsEstimatesNoErrors) {
  dubito::Run run = tenItems({0, 1, 0, 1, 0, 1, 0, 1, 0, 1});  // what the run predicts
  run.meta.method = kLabelsMethod;
  Records records;
  records.decide(101, 0);
  records.decide(100, 0);
  const ReviewEffect effect = records.effectOn(run);
  EXPECT_THAT(effect.found.found, ElementsAre(0, 1, 1));
  EXPECT_EQ(effect.found.baseline, BaselineSource::kNone);
}

TEST(ReviewEffect, TakesTheShareOfErrorsFromWhatWasReviewedInRandomOrder) {
  std::vector<float> probs(80, 0.5F);
  dubito::Run run;
  run.probs = Array<float>::fromVector({40, 2}, std::move(probs));
  run.labels = Array<std::int64_t>::fromVector(std::vector<std::int64_t>(40, 0));
  std::vector<std::int64_t> ids(40);
  for (std::size_t i = 0; i < 40; ++i) {
    ids[i] = static_cast<std::int64_t>(i);
  }
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  fillFromProbs(run, RunContext());
  Records records;
  for (std::int64_t item = 0; item < 40; ++item) {
    records.decide(item, item % 10 == 0 ? 1 : 0).queue = item < 30 ? "random" : "entropy";
  }
  const ReviewEffect effect = records.effectOn(run);
  EXPECT_EQ(effect.found.baseline, BaselineSource::kRandomOrder);
  EXPECT_DOUBLE_EQ(effect.found.share_at_random, 3.0 / 30.0);
  EXPECT_EQ(effect.found.found.back(), 4);
}

TEST(ReviewEffect, ComparesDecisionsWithAndWithoutTheSuggestion) {
  const dubito::Run run = tenItems(std::vector<std::int64_t>(10, -1));
  Records records;
  const auto see = [&](std::int64_t item, std::int64_t chosen, bool shown, const char* who) {
    Decision& decision = records.decide(item, chosen, who);
    decision.probs = {0.9F, 0.1F};  // suggests 0
    decision.prediction_shown = shown;
  };
  see(100, 0, true, "anna");
  see(100, 1, false, "ben");
  see(100, 1, false, "carl");  // the majority: 1
  see(101, 0, true, "anna");
  see(101, 1, true, "ben");    // two persons are no majority
  see(102, -2, true, "anna");  // ambiguous: neither
  see(103, -1, false, "anna");
  const ReviewEffect effect = records.effectOn(run);
  EXPECT_EQ(effect.shown.decisions, 3);
  EXPECT_EQ(effect.shown.agreeing, 2);
  EXPECT_EQ(effect.shown.judged, 1);
  EXPECT_EQ(effect.shown.wrong, 1);
  EXPECT_EQ(effect.hidden.decisions, 3);
  EXPECT_EQ(effect.hidden.agreeing, 0);
  EXPECT_EQ(effect.hidden.judged, 2);
  EXPECT_EQ(effect.hidden.wrong, 0);
  // The newest of 100 and 101 are dogs, 103 is none of the classes, 102 has no class.
  EXPECT_EQ(effect.suggested.labels, 3);
  EXPECT_EQ(effect.suggested.as_suggested, 0);
  EXPECT_THAT(effect.ratings.annotators, ElementsAre("anna", "ben", "carl"));
  // The most certain tenth is item 100: one of three pairs agrees. 101: no pair.
  EXPECT_EQ(effect.deciles[0].rated, 1);
  EXPECT_DOUBLE_EQ(effect.deciles[0].agreement, 1.0 / 3.0);
  EXPECT_DOUBLE_EQ(effect.deciles[1].agreement, 0.0);
  EXPECT_TRUE(std::isnan(effect.deciles[2].agreement));
}

TEST(ReviewEffect, MeasuresTimeByUncertaintyAndSpeed) {
  const dubito::Run run = tenItems(std::vector<std::int64_t>(10, -1));
  Records records;
  std::int64_t clock = 1'000'000;
  const auto take = [&](std::int64_t item, std::int64_t spent, std::int64_t pause) {
    clock += spent + pause;
    Decision& decision = records.decide(item, 0);
    decision.spent_ms = spent;
    decision.time_ms = clock;
  };
  take(100, 1000, 0);
  take(100, 3000, 0);
  take(100, 2000, 0);
  take(109, 61'000, 0);  // a break
  take(109, 4000, 0);
  take(108, 2000, 70'000);  // a break before it
  take(107, 2000, 0);
  take(106, 1000, 0);
  const ReviewEffect effect = records.effectOn(run);
  ASSERT_EQ(effect.deciles.size(), 10U);
  EXPECT_THAT(effect.decile_of_row, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_EQ(effect.deciles[0].decisions, 3);
  EXPECT_DOUBLE_EQ(effect.deciles[0].median_ms, 2000.0);
  EXPECT_EQ(effect.deciles[9].decisions, 1);
  EXPECT_DOUBLE_EQ(effect.deciles[9].median_ms, 4000.0);
  EXPECT_TRUE(std::isnan(effect.deciles[1].median_ms));
  // Times of 3, 2, 4, 2 and 1 s, in which 107 and 106 were decided for the first time.
  EXPECT_EQ(effect.pace.images, 2);
  EXPECT_DOUBLE_EQ(effect.pace.perMinute(), 10.0);
}

TEST(ReviewEffect, DecisionsOfOneStepShareItsTime) {
  const dubito::Run run = tenItems(std::vector<std::int64_t>(10, -1));
  Records records;
  records.decide(100, 0).time_ms = 1'000'000;
  for (std::int64_t item = 101; item < 107; ++item) {
    records.decide(item, 0).time_ms = 1'012'000;
    records.joinStep(2);
  }
  const ReviewEffect effect = records.effectOn(run);
  ASSERT_EQ(effect.pace.stretches.size(), 1U);
  EXPECT_EQ(effect.pace.stretches[0].decisions, 6);
  EXPECT_DOUBLE_EQ(effect.pace.stretches[0].per_minute, 30.0);  // six in twelve seconds
}

TEST(ReviewEffect, OfNothingIsEmpty) {
  const ReviewEffect effect = Records().effectOn(tenItems(std::vector<std::int64_t>(10, -1)));
  EXPECT_EQ(effect.reviewed, 0);
  EXPECT_TRUE(std::isnan(effect.all.given.accuracy));
  EXPECT_TRUE(effect.compared.empty());
  EXPECT_EQ(effect.changes.size(), 0);
  EXPECT_TRUE(effect.pace.stretches.empty());
  EXPECT_EQ(effect.found.baseline, BaselineSource::kNone);
}

}  // namespace
}  // namespace dubito
