// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// A run with wrong labels, and its true labels.
struct Flipped {
  dubito::Run run;
  std::vector<std::int64_t> truth;
};

Flipped flipped(std::int64_t items, double share, LabelFlip flip) {
  Flipped made{test::randomRun(items, 5, 4.0, 1, true, false), {}};
  made.truth.assign(made.run.labels.values().begin(), made.run.labels.values().end());
  made.run.labels = flipLabels(made.run, "run", share, flip, 3).value();
  return made;
}

TEST(ReviewSimulation, CountsTheErrorsAmongTheFirstItems) {
  Flipped made = flipped(997, 0.1, LabelFlip::kRandom);
  made.truth[5] = -1;
  std::vector<std::int64_t> labels(made.run.labels.values().begin(),
                                   made.run.labels.values().end());
  labels[8] = -1;
  made.run.labels = Array<std::int64_t>::fromVector(labels);
  RunContext context;
  for (const char* const by : {"self-confidence", "entropy", "random"}) {
    const auto result =
        simulateReview(made.run, made.truth, {.by = by}, {}, usualReviewShares(), context);
    ASSERT_OK(result);
    EXPECT_EQ(result->items, 995);
    const Queue queue = buildQueue(made.run, {.by = by}, {}, context).value();
    std::vector<std::int64_t> rows = queue.rows;
    std::erase_if(rows, [](std::int64_t row) { return row == 5 || row == 8; });
    for (std::size_t i = 0; i < result->shares.size(); ++i) {
      const auto reviewed = std::llround(result->shares[i] * 995.0);
      std::int64_t errors = 0;
      for (std::int64_t place = 0; place < reviewed; ++place) {
        const auto row = static_cast<std::size_t>(rows[static_cast<std::size_t>(place)]);
        errors += labels[row] != made.truth[row] ? 1 : 0;
      }
      EXPECT_EQ(result->reviewed[i], reviewed);
      EXPECT_EQ(result->found[i], errors) << by;
    }
    EXPECT_EQ(result->found.back(), result->errors);
    EXPECT_EQ(result->found_in_random_order.back(), result->errors);
  }
}

TEST(ReviewSimulation, LabelQueuesFindFlippedLabelsSoonerThanChance) {
  const Flipped made = flipped(4000, 0.05, LabelFlip::kRandom);
  RunContext context;
  const auto by = [&](const char* key) {
    return simulateReview(made.run, made.truth, {.by = key}, {}, {0.1}, context).value();
  };
  const ReviewSimulation random = by("random");
  EXPECT_EQ(random.errors, 200);
  EXPECT_EQ(random.found, random.found_in_random_order);
  EXPECT_NEAR(random.expected_in_random_order[0], 20.0, 1e-12);
  EXPECT_NEAR(static_cast<double>(random.found[0]), 20.0, 15.0);  // 3.5 standard deviations
  for (const char* const key : {"label-errors", "self-confidence", "label-margin"}) {
    EXPECT_GT(by(key).found[0], 3 * random.found[0]) << key;
  }
}

TEST(ReviewSimulation, ReviewsOnlyChosenRows) {
  const Flipped made = flipped(100, 0.2, LabelFlip::kRandom);
  std::vector<std::int64_t> rows;
  std::int64_t errors = 0;
  for (std::int64_t row = 0; row < 40; ++row) {
    rows.push_back(row);
    errors += made.run.labels.data()[row] != made.truth[static_cast<std::size_t>(row)] ? 1 : 0;
  }
  RunContext context;
  const auto result = simulateReview(made.run, made.truth, {}, {.only_rows = rows}, {1.0}, context);
  ASSERT_OK(result);
  EXPECT_EQ(result->items, 40);
  EXPECT_EQ(result->errors, errors);
}

TEST(ReviewSimulation, RefusesWrongInput) {
  const Flipped made = flipped(50, 0.1, LabelFlip::kRandom);
  RunContext context;
  const auto share = simulateReview(made.run, made.truth, {}, {.name = "r"}, {0.5, 1.5}, context);
  ASSERT_FALSE(share);
  EXPECT_THAT(share.error().message, HasSubstr("r: 1.5 is no share"));
  const auto unknown = simulateReview(made.run, std::vector<std::int64_t>(50, -1), {},
                                      {.name = "r"}, {0.5}, context);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("r: no item has both"));
  const auto queue = simulateReview(made.run, made.truth, {.by = "x"}, {}, {0.5}, context);
  EXPECT_EQ(queue.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THROW(static_cast<void>(simulateReview(made.run, std::vector<std::int64_t>(49, 0), {}, {},
                                                {0.5}, context)),
               std::invalid_argument);
}

TEST(FlipLabels, ReplacesExactlyThisShareByOtherClasses) {
  const dubito::Run run = test::randomRun(1000, 4, 2.0, 5, true, false);
  for (const LabelFlip flip : {LabelFlip::kRandom, LabelFlip::kSecondLikeliest}) {
    const auto labels = flipLabels(run, "run", 0.05, flip, 1);
    ASSERT_OK(labels);
    std::int64_t changed = 0;
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      const std::int64_t before = run.labels.data()[i];
      const std::int64_t after = labels->data()[i];
      EXPECT_GE(after, 0);
      EXPECT_LT(after, 4);
      if (before == after) {
        continue;
      }
      ++changed;
      if (flip == LabelFlip::kSecondLikeliest) {
        for (std::int64_t k = 0; k < 4; ++k) {
          EXPECT_TRUE(k == before || run.prob(i, k) <= run.prob(i, after));
        }
      }
    }
    EXPECT_EQ(changed, 50);
    EXPECT_TRUE(
        std::ranges::equal(labels->values(), flipLabels(run, "run", 0.05, flip, 1)->values()));
    EXPECT_FALSE(
        std::ranges::equal(labels->values(), flipLabels(run, "run", 0.05, flip, 2)->values()));
  }
}

TEST(FlipLabels, RandomFlipsReachEveryOtherClass) {
  const dubito::Run run = test::randomRun(3000, 4, 2.0, 6, true, false);
  const auto labels = flipLabels(run, "run", 1.0, LabelFlip::kRandom, 1);
  ASSERT_OK(labels);
  std::vector<std::vector<std::int64_t>> counts(4, std::vector<std::int64_t>(4, 0));
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    ++counts[static_cast<std::size_t>(run.labels.data()[i])]
            [static_cast<std::size_t>(labels->data()[i])];
  }
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t l = 0; l < 4; ++l) {
      // About 250 of each pair; 5 standard deviations.
      EXPECT_NEAR(static_cast<double>(counts[k][l]), k == l ? 0.0 : 250.0, k == l ? 0.0 : 80.0);
    }
  }
}

TEST(FlipLabels, RefusesWrongInput) {
  const dubito::Run run = test::randomRun(10, 3, 2.0, 7, true, false);
  EXPECT_THROW(static_cast<void>(flipLabels(run, "run", 1.1, LabelFlip::kRandom, 1)),
               std::invalid_argument);
  EXPECT_FALSE(flipLabels(test::confidenceOnly(run), "run", 0.1, LabelFlip::kRandom, 1));
  const dubito::Run unlabelled = test::randomRun(10, 3, 2.0, 7, false, false);
  EXPECT_FALSE(flipLabels(unlabelled, "run", 0.1, LabelFlip::kRandom, 1));
}

}  // namespace
}  // namespace dubito
