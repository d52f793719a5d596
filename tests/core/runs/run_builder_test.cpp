// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

namespace dubito {
namespace {

constexpr std::int64_t kClasses = 2;

/// Two items: one that all draws agree on, one that they do not.
Array<float> twoDraws() {
  return Array<float>::fromVector({2, 2, kClasses},
                                  {0.75F, 0.25F, 1.0F, 0.0F, 0.75F, 0.25F, 0.0F, 1.0F});
}

RunContext cancelledContext() {
  RunContext context;
  context.control()->requestCancel();
  return context;
}

void addTwoItems(RunBuilder& builder) {
  builder.addItem(5, 0);
  builder.addItem(6, 1);
}

TEST(RunBuilder, CancelledDrawsLeaveNoTrace) {
  RunBuilder builder(4, {.classes = kClasses, .draws = 2, .keep_samples = true});
  ASSERT_TRUE(builder.addDraws(twoDraws(), RunContext()));
  addTwoItems(builder);
  const Status added = builder.addDraws(twoDraws(), cancelledContext());
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kCancelled);

  const dubito::Run run = std::move(builder).finish();
  EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*run.probs).values(),
                                 std::vector<float>{0.75F, 0.25F, 0.5F, 0.5F}));
  EXPECT_TRUE(std::ranges::equal(run.samples->values(), twoDraws().values()));
  EXPECT_EQ(run.entropy->size(), 2);
  EXPECT_EQ(run.mutual_information->size(), 2);
  EXPECT_NEAR(run.mutual_information->data()[1], std::log(2.0), 1e-15);
  // Draws (1, 0) and (0, 1) of the second item: they disagree, and each class has variance 1/4.
  EXPECT_EQ(run.variation_ratio->data()[1], 0.5);
  EXPECT_EQ(run.variance->data()[1], 0.5);
}

TEST(RunBuilder, CancelledLogitsLeaveNoTrace) {
  RunBuilder builder(4, {.classes = kClasses, .keep_logits = true});
  const std::vector<float> logits{1.0F, 2.0F, 103.0F, 3.0F};
  const std::vector<const float*> draws{logits.data()};
  const auto summary = builder.summarise({draws, 2, kClasses}, RunContext());
  ASSERT_TRUE(summary);
  builder.addSummary(*summary, logits);
  addTwoItems(builder);
  const auto stopped = builder.summarise({draws, 2, kClasses}, cancelledContext());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);

  const dubito::Run run = std::move(builder).finish();
  EXPECT_EQ(std::get<Array<float>>(*run.probs).size(), 2 * kClasses);
  EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*run.logits).values(), logits));
  EXPECT_EQ(run.entropy->size(), 2);
  EXPECT_NEAR(run.confidence.data()[0], 1.0 / (1.0 + std::exp(-1.0)), 1e-15);
  EXPECT_EQ(run.confidence.data()[1], 1.0);
  EXPECT_NEAR(run.log_rest->data()[1], -100.0, 1e-12);
}

TEST(RunBuilder, DrawsAreKeptWhereTheyBelong) {
  RunBuilder builder(3, {.classes = kClasses, .draws = 2, .keep_samples = true});
  const std::vector<float> first{0.0F, 0.0F, 1e4F, 0.0F};
  const std::vector<float> second{0.0F, 200.0F, 0.0F, 0.0F};
  const std::vector<const float*> draws{first.data(), second.data()};
  const auto summary = builder.summarise({draws, 2, kClasses}, RunContext());
  ASSERT_TRUE(summary);
  builder.addSummary(*summary);
  addTwoItems(builder);
  EXPECT_THROW(static_cast<void>(builder.summarise({draws, 2, kClasses}, RunContext())),
               std::length_error);
  const dubito::Run run = std::move(builder).finish();
  EXPECT_TRUE(std::ranges::equal(
      run.samples->values(), std::vector<float>{0.5F, 0.5F, 1.0F, 0.0F, 0.0F, 1.0F, 0.5F, 0.5F}));
  EXPECT_TRUE(std::ranges::equal(run.predictions.values(), std::vector<std::int64_t>{1, 0}));
  EXPECT_NEAR(run.log_rest->data()[0], std::log(0.25), 1e-15);
  EXPECT_NEAR(run.log_rest->data()[1], std::log(0.25), 1e-15);
}

}  // namespace
}  // namespace dubito
