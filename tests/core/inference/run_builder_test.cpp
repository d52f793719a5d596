// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/run_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

TEST(RunBuilder, cancelledDrawsLeaveNoTrace) {
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
}

TEST(RunBuilder, cancelledPointsLeaveNoTrace) {
  RunBuilder builder(4, {.classes = kClasses, .keep_logits = true});
  const auto probs = Array<double>::fromVector({1, 2, kClasses}, {0.75, 0.25, 0.5, 0.5});
  const std::vector<float> logits{1.0F, 2.0F, 3.0F, 4.0F};
  ASSERT_TRUE(builder.addPoint(probs, logits, RunContext()));
  addTwoItems(builder);
  const Status added = builder.addPoint(probs, logits, cancelledContext());
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kCancelled);

  const dubito::Run run = std::move(builder).finish();
  EXPECT_EQ(std::get<Array<float>>(*run.probs).size(), 2 * kClasses);
  EXPECT_TRUE(std::ranges::equal(run.logits->values(), logits));
  EXPECT_EQ(run.entropy->size(), 2);
}

}  // namespace
}  // namespace dubito
