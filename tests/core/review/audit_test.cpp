// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <set>

#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// A store whose items 0 to 999 the model has labelled as class item % 3.
class Audits : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = LabelStore::open(folder_.file("a.labels"), StoreMode::kOpenOrCreate);
    ASSERT_OK(opened);
    store_ = *std::move(opened);
    ASSERT_OK(store_->belongTo({.name = "d", .spec = {}, .fingerprint = {}}, kClasses));
    std::vector<Decision> decisions;
    for (std::int64_t item = 0; item < 1000; ++item) {
      decisions.push_back({.item = item,
                           .class_id = item % 3,
                           .origin = LabelOrigin::kModel,
                           .annotator = "model"});
    }
    ASSERT_OK(store_->decide(decisions));
  }

  void decide(std::int64_t item, LabelAction action, std::optional<std::int64_t> class_id,
              const std::string& annotator = "anna") {
    const Decision decision{
        .item = item, .action = action, .class_id = class_id, .annotator = annotator};
    ASSERT_OK(store_->decide(std::span(&decision, 1)));
  }
  void decideRight(std::int64_t item) { decide(item, LabelAction::kAccept, item % 3); }
  void decideWrong(std::int64_t item) { decide(item, LabelAction::kCorrect, (item + 1) % 3); }

  [[nodiscard]] Audit audit(const AuditOptions& options = {}, std::uint64_t seed = 1) {
    auto result = auditLabels(*store_, options, seed);
    EXPECT_OK(result);
    return result.value_or(Audit());
  }

  const std::vector<std::string> kClasses{"cat", "dog", "fox"};
  test::TempDir folder_;
  std::unique_ptr<LabelStore> store_;
};

std::vector<std::int64_t> itemsIn(const Audit& audit) {
  std::vector<std::int64_t> items;
  for (const AuditedItem& audited : audit.sample) {
    items.push_back(audited.item);
  }
  return items;
}

TEST_F(Audits, DrawASampleKeyedBySeedAndItem) {
  const Audit first = audit();
  EXPECT_EQ(first.labelled, 1000);
  EXPECT_EQ(first.open, 100);
  EXPECT_FALSE(first.precision);
  EXPECT_EQ(first.interval.low, 0.0);
  EXPECT_EQ(first.interval.high, 1.0);
  EXPECT_EQ(first.verdict, GuaranteeVerdict::kOpen);
  const std::vector<std::int64_t> items = itemsIn(first);
  EXPECT_EQ(std::set(items.begin(), items.end()).size(), 100U);
  for (const AuditedItem& audited : first.sample) {
    EXPECT_EQ(audited.class_id, audited.item % 3);
  }
  EXPECT_EQ(itemsIn(audit()), items);
  EXPECT_NE(itemsIn(audit({}, 2)), items);
  // A larger sample begins with the smaller one.
  const std::vector<std::int64_t> more = itemsIn(audit({.sample = 300}));
  EXPECT_EQ(std::vector(more.begin(), more.begin() + 100), items);
  EXPECT_EQ(itemsIn(audit({.sample = 5000})).size(), 1000U);
  // Decisions do not move anything.
  decideRight(items[7]);
  EXPECT_EQ(itemsIn(audit()), items);
}

/// Every item is as likely as any other to be in the sample.
TEST_F(Audits, SampleEvenly) {
  constexpr int kSeeds = 400;
  std::vector<int> hits(1000, 0);
  const auto journal = store_->journal().value();
  const auto labels = store_->labels().value();
  const auto classes = store_->classes().value();
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    for (const std::int64_t item :
         itemsIn(auditLabels(journal, labels, classes, {}, seed).value())) {
      ++hits[static_cast<std::size_t>(item)];
    }
  }
  // Each count is binomial with mean 40 and standard deviation 6; 5.5 of them for 1000 items.
  EXPECT_GT(*std::ranges::min_element(hits), 40 - 33);
  EXPECT_LT(*std::ranges::max_element(hits), 40 + 33);
  double squares = 0.0;
  for (const int count : hits) {
    squares += (count - 40.0) * (count - 40.0);
  }
  EXPECT_NEAR(squares / 1000.0, 36.0, 10.0);
}

TEST_F(Audits, CountWhatPersonsHaveDecidedSince) {
  const std::vector<std::int64_t> items = itemsIn(audit());
  for (std::size_t i = 0; i < 40; ++i) {
    decideRight(items[i]);
  }
  decideWrong(items[40]);
  decide(items[41], LabelAction::kNotInClasses, {});
  decide(items[42], LabelAction::kAmbiguous, {});
  decide(items[43], LabelAction::kSkip, {});
  decide(items[44], LabelAction::kFlag, {});
  const Audit result = audit();
  EXPECT_EQ(result.right, 40);
  EXPECT_EQ(result.wrong, 2);
  EXPECT_EQ(result.unclear, 1);
  EXPECT_EQ(result.open, 57);
  ASSERT_TRUE(result.precision);
  EXPECT_DOUBLE_EQ(*result.precision, 40.0 / 42.0);
  // Clopper and Pearson for 40 of 42, by bisection of exact binomial sums.
  EXPECT_NEAR(result.interval.low, 0.8383580403083459, 1e-12);
  EXPECT_NEAR(result.interval.high, 0.99418017516449, 1e-12);
  EXPECT_EQ(result.sample[0].outcome, AuditOutcome::kRight);
  EXPECT_EQ(result.sample[40].outcome, AuditOutcome::kWrong);
  EXPECT_EQ(result.sample[42].outcome, AuditOutcome::kUnclear);
  EXPECT_EQ(result.sample[43].outcome, AuditOutcome::kOpen);
  // Decisions outside of the sample say nothing: they were not chosen at random.
  std::int64_t outside = 0;
  while (std::ranges::find(items, outside) != items.end()) {
    ++outside;
  }
  decideWrong(outside);
  EXPECT_EQ(audit().wrong, 2);
  EXPECT_EQ(audit({.sample = 1000}).wrong, 3);
  // The newest decision counts.
  decideRight(items[40]);
  EXPECT_EQ(audit().wrong, 1);
  ASSERT_OK(store_->undo("anna"));
  EXPECT_EQ(audit().wrong, 2);
}

TEST_F(Audits, SayWhetherTheGuaranteeWasKept) {
  const std::vector<std::int64_t> items = itemsIn(audit({.sample = 1000}));
  for (std::size_t i = 0; i < 300; ++i) {
    if (i % 30 == 0) {
      decideWrong(items[i]);
    } else {
      decideRight(items[i]);
    }
  }
  // 290 of 300 are right: 0.9395 to 0.9839.
  const auto verdict = [&](double target) {
    return audit({.sample = 300, .target = target}).verdict;
  };
  EXPECT_EQ(verdict(0.93), GuaranteeVerdict::kKept);
  EXPECT_EQ(verdict(0.96), GuaranteeVerdict::kOpen);
  EXPECT_EQ(verdict(0.99), GuaranteeVerdict::kBroken);
  // A wider interval is more cautious.
  EXPECT_EQ(audit({.sample = 300, .target = 0.985, .confidence = 0.9999}).verdict,
            GuaranteeVerdict::kOpen);
  EXPECT_EQ(keyOf(GuaranteeVerdict::kKept), "kept");
  EXPECT_EQ(keyOf(AuditOutcome::kUnclear), "unclear");
}

TEST_F(Audits, FollowMergesAndIgnoreWhatThePersonDecidedBefore) {
  decide(2000, LabelAction::kAccept, 0);  // never labelled by the model
  const Decision again{
      .item = 2000, .class_id = 1, .origin = LabelOrigin::kModel, .annotator = "model"};
  ASSERT_OK(store_->decide(std::span(&again, 1)));
  EXPECT_EQ(audit().labelled, 1000);
  ASSERT_OK(store_->mergeClass(1, 0, "anna"));
  decide(4, LabelAction::kCorrect, 0);  // the model said 1, which is 0 now
  const Audit result = audit({.sample = 1000});
  EXPECT_EQ(result.right, 1);
  EXPECT_EQ(result.wrong, 0);
  // Labels that the model took back are not audited.
  ASSERT_OK(store_->undo("model"));
  ASSERT_OK(store_->undo("model"));
  EXPECT_EQ(audit().labelled, 0);
  EXPECT_TRUE(audit().sample.empty());
}

TEST_F(Audits, RefuseOptionsOutOfRange) {
  const auto none = auditLabels(*store_, {.sample = 0}, 1);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("Sample is 0"));
  EXPECT_THAT(none.error().remedy.settings, testing::ElementsAre(setting("sample")));
  EXPECT_FALSE(auditLabels(*store_, {.target = 1.2}, 1));
  EXPECT_FALSE(auditLabels(*store_, {.confidence = 1.0}, 1));
}

/// The interval contains the true precision at least as often as it says.
TEST(AuditInterval, CoversTheTruePrecision) {
  std::mt19937_64 random(5);
  for (const double precision : {0.9, 0.98}) {
    std::binomial_distribution<std::int64_t> draw(120, precision);
    constexpr int kRepetitions = 2000;
    int missed = 0;
    for (int r = 0; r < kRepetitions; ++r) {
      const std::int64_t right = draw(random);
      std::vector<RecordedDecision> journal;
      std::vector<PresentLabel> labels;
      for (std::int64_t item = 0; item < 120; ++item) {
        RecordedDecision of_model;
        of_model.sequence = item + 1;
        of_model.decision.item = item;
        of_model.decision.class_id = 0;
        of_model.decision.origin = LabelOrigin::kModel;
        journal.push_back(of_model);
        labels.push_back({.item = item,
                          .action = LabelAction::kCorrect,
                          .class_id = item < right ? 0 : 1,
                          .sequence = 1000 + item});
      }
      const std::vector<LabelClass> classes{{.id = 0, .name = "a"}, {.id = 1, .name = "b"}};
      const auto audit = auditLabels(journal, labels, classes, {.sample = 120}, 1).value();
      ASSERT_EQ(audit.right, right);
      missed += audit.interval.low > precision || audit.interval.high < precision ? 1 : 0;
    }
    EXPECT_LE(missed, kRepetitions * 0.05 + 3.0 * std::sqrt(kRepetitions * 0.05 * 0.95));
  }
}

TEST_F(Audits, FollowTheDecisionsWithoutReadingTheJournalAgain) {
  const Audit before = audit();
  decideRight(before.sample[0].item);
  decideWrong(before.sample[1].item);
  decide(before.sample[2].item, LabelAction::kAmbiguous, {});
  decide(before.sample[3].item, LabelAction::kSkip, {});
  const auto labels = store_->labels();
  ASSERT_OK(labels);
  const Audit after = reassessed(before, *labels, {});
  const Audit again = audit();
  EXPECT_EQ(after.right, 1);
  EXPECT_EQ(after.wrong, 1);
  EXPECT_EQ(after.unclear, 1);
  EXPECT_EQ(after.open, 97);
  EXPECT_EQ(after.labelled, 1000);
  EXPECT_EQ(after.precision, again.precision);
  EXPECT_EQ(after.interval.low, again.interval.low);
  EXPECT_EQ(after.interval.high, again.interval.high);
  EXPECT_EQ(itemsIn(after), itemsIn(again));
  // Undone: open again.
  EXPECT_EQ(reassessed(after, {}, {}).open, 100);
}

TEST(Audit, SaysHowManyRightAnswersKeepTheGuarantee) {
  // Without errors the lower end is 0.025^(1/n): n >= ln(0.025) / ln(0.9) = 35.01.
  const AuditOptions options{.target = 0.9};
  EXPECT_EQ(rightAnswersNeeded({}, options), 36);
  EXPECT_EQ(rightAnswersNeeded({.right = 10}, options), 26);
  EXPECT_EQ(rightAnswersNeeded({.right = 35}, options), 1);
  EXPECT_EQ(rightAnswersNeeded({.right = 36}, options), 0);
  EXPECT_EQ(rightAnswersNeeded({.right = 500}, options), 0);
  // ln(0.025) / ln(0.99) = 367.04.
  EXPECT_EQ(rightAnswersNeeded({.right = 100}, {.target = 0.99}), 268);
  EXPECT_GT(rightAnswersNeeded({.right = 34, .wrong = 1}, options), 2);
  EXPECT_FALSE(rightAnswersNeeded({.verdict = GuaranteeVerdict::kBroken}, options));
  EXPECT_FALSE(rightAnswersNeeded({}, {.target = 1.0}));
}

}  // namespace
}  // namespace dubito
