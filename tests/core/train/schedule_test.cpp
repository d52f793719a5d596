// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/train/learning_rate.h"

namespace dubito {
namespace {

constexpr std::int64_t kSteps = 1000;

double factor(const std::string& schedule, std::int64_t step, double warm_up = 0.0) {
  return rateFactor({.schedule = schedule, .warm_up = warm_up}, step, kSteps);
}

TEST(Schedule, HasItsShape) {
  for (const std::int64_t step : {0, 1, 250, 499, 500, 749, 750, 999}) {
    const double part = static_cast<double>(step) / 1000.0;
    EXPECT_EQ(factor("constant", step), 1.0);
    EXPECT_DOUBLE_EQ(factor("cosine", step), (1.0 + std::cos(std::numbers::pi * part)) / 2.0);
    EXPECT_DOUBLE_EQ(factor("step", step), step < 500 ? 1.0 : step < 750 ? 0.1 : 0.01);
  }
}

// torch.optim.lr_scheduler.OneCycleLR(pct_start=0.3, div_factor=25) at its ends, peak and middles.
TEST(Schedule, OneCycleRisesThenFalls) {
  EXPECT_NEAR(factor("one-cycle", 0), 1.0 / 25.0, 1e-12);
  EXPECT_NEAR(factor("one-cycle", 150), (1.0 + 1.0 / 25.0) / 2.0, 1e-12);
  EXPECT_NEAR(factor("one-cycle", 300), 1.0, 1e-12);
  EXPECT_NEAR(factor("one-cycle", 650), 0.5, 1e-12);
  EXPECT_LT(factor("one-cycle", 999), 1e-5);
  for (std::int64_t step = 1; step < kSteps; ++step) {
    EXPECT_EQ(factor("one-cycle", step) > factor("one-cycle", step - 1), step <= 300) << step;
  }
}

TEST(Schedule, WarmsUpBeforeItsFullLength) {
  EXPECT_DOUBLE_EQ(factor("cosine", 0, 0.1), 0.01);
  EXPECT_DOUBLE_EQ(factor("cosine", 49, 0.1), 0.5);
  EXPECT_EQ(factor("cosine", 99, 0.1), 1.0);
  EXPECT_EQ(factor("cosine", 100, 0.1), 1.0);
  EXPECT_DOUBLE_EQ(factor("cosine", 550, 0.1), 0.5);
  EXPECT_DOUBLE_EQ(factor("step", 549, 0.1), 1.0);
  EXPECT_DOUBLE_EQ(factor("step", 550, 0.1), 0.1);
}

TrainOptions tenEpochs() {
  TrainOptions options;
  options.epochs = 10;
  options.learning_rate = 0.5;
  return options;
}

TEST(LearningRate, IsConstantWhileWeightsAreAveraged) {
  TrainOptions options = tenEpochs();
  options.averaging.swa = true;
  options.averaging.swa_share = 0.4;
  EXPECT_DOUBLE_EQ(learningRateAt(options, 0, 7), 0.5);
  EXPECT_DOUBLE_EQ(learningRateAt(options, 21, 7), 0.3);  // halfway from 0.5 to 0.1
  EXPECT_GT(learningRateAt(options, 41, 7), 0.1);
  for (std::int64_t step = 42; step < 70; ++step) {
    EXPECT_DOUBLE_EQ(learningRateAt(options, step, 7), 0.1);
  }
  options.averaging.swa_learning_rate = 0.25;
  EXPECT_EQ(learningRateAt(options, 42, 7), 0.25);
  options.averaging.swa_share = 1.0;
  EXPECT_EQ(learningRateAt(options, 0, 7), 0.25);
}

// Huang et al. (2017), equation 2: every cycle starts at the full rate.
TEST(LearningRate, RestartsWithEverySnapshot) {
  TrainOptions options = tenEpochs();
  options.averaging.snapshots = 3;  // epochs 0 to 2, 3 to 5, 6 to 9
  const std::vector<std::int64_t> begins{0, 3, 6, 10};
  for (std::size_t cycle = 0; cycle < 3; ++cycle) {
    const std::int64_t begin = begins[cycle] * 7;
    const std::int64_t end = begins[cycle + 1] * 7;
    for (std::int64_t step = begin; step < end; ++step) {
      const double part = static_cast<double>(step - begin) / static_cast<double>(end - begin);
      EXPECT_NEAR(learningRateAt(options, step, 7),
                  0.25 * (1.0 + std::cos(std::numbers::pi * part)), 1e-15);
    }
  }
}

}  // namespace
}  // namespace dubito
