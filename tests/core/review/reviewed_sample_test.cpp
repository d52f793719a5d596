// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/reviewed_sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/labels/label_store.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using testing::ElementsAre;

/// A store for ten items of three classes, whose ids are 0 to 9.
class ReviewedSamples : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = LabelStore::open(folder_.file("a.labels"), StoreMode::kOpenOrCreate);
    ASSERT_OK(opened);
    store_ = *std::move(opened);
    ASSERT_OK(store_->belongTo({.name = "d", .spec = {}, .fingerprint = {}}, kClasses));
    run_.ids = Array<std::int64_t>::fromVector({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    run_.predictions = Array<std::int64_t>::fromVector({0, 1, 2, 0, 1, 2, 0, 1, 2, 0});
  }
  void decide(const Decision& decision) {
    Decision made = decision;
    made.annotator = "anna";
    ASSERT_OK(store_->decide(std::span(&made, 1)));
  }
  void choose(std::int64_t item, std::int64_t class_id, const std::string& queue) {
    decide({.item = item, .action = LabelAction::kCorrect, .class_id = class_id, .queue = queue});
  }
  [[nodiscard]] ReviewedSample sample() {
    return reviewedSample(run_, store_->journal().value(), store_->labels().value(),
                          store_->classes().value());
  }

  const std::vector<std::string> kClasses{"cat", "dog", "fox"};
  test::TempDir folder_;
  std::unique_ptr<LabelStore> store_;
  dubito::Run run_;
};

TEST_F(ReviewedSamples, HaveOnlyWhatWasFirstSeenInRandomOrder) {
  choose(7, 1, "random");        // as predicted
  choose(2, 0, "random");        // predicted 2
  choose(3, 0, "entropy");       // another queue
  choose(4, 2, "label-errors");  // another queue first, so no random pick
  choose(4, 1, "random");
  choose(5, 0, "random");  // corrected later from another queue: the later label counts
  choose(5, 2, "entropy");
  const ReviewedSample result = sample();
  EXPECT_THAT(result.rows, ElementsAre(2, 5, 7));
  EXPECT_THAT(result.error, ElementsAre(1, 0, 0));
  EXPECT_EQ(result.open + result.unclear, 0);
  EXPECT_EQ(result.others, 2);  // 3 and 4
}

TEST_F(ReviewedSamples, CountWhatWasSkippedAsWrongAndLeaveOutTheAmbiguous) {
  decide({.item = 0, .action = LabelAction::kSkip, .queue = "random"});
  decide({.item = 1, .action = LabelAction::kFlag, .queue = "random"});
  decide({.item = 2, .action = LabelAction::kAmbiguous, .queue = "random"});
  decide({.item = 3, .action = LabelAction::kNotInClasses, .queue = "random"});
  choose(4, 1, "random");
  const ReviewedSample result = sample();
  EXPECT_THAT(result.rows, ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(result.error, ElementsAre(1, 1, 1, 0));
  EXPECT_EQ(result.open, 2);
  EXPECT_EQ(result.unclear, 1);
}

TEST_F(ReviewedSamples, IgnoreWhatWasUndoneAndTheModel) {
  choose(1, 1, "random");
  choose(2, 2, "random");
  ASSERT_OK(store_->undo("anna"));
  decide({.item = 3,
          .action = LabelAction::kAccept,
          .class_id = 0,
          .origin = LabelOrigin::kModel,
          .queue = "random"});
  EXPECT_THAT(sample().rows, ElementsAre(1));
  EXPECT_EQ(sample().others, 0);
}

TEST_F(ReviewedSamples, FollowMergedClasses) {
  choose(8, 1, "random");  // predicted 2
  EXPECT_THAT(sample().error, ElementsAre(1));
  ASSERT_OK(store_->mergeClass(2, 1, "anna"));
  EXPECT_THAT(sample().error, ElementsAre(0));
}

TEST_F(ReviewedSamples, BecomeCalibrationItems) {
  const ReviewedSample made{.rows = {1, 3, 4}, .error = {0, 1, 1}};
  const std::vector<double> uncertainty{9.0, 0.5, 9.0, std::nan(""), 0.25};
  const CalibrationItems items = calibrationItems(made, uncertainty, 2.0);
  EXPECT_THAT(items.uncertainty, ElementsAre(0.5, 0.25));
  EXPECT_THAT(items.error, ElementsAre(0, 1));
  EXPECT_EQ(items.top, 2.0);
}

}  // namespace
}  // namespace dubito
