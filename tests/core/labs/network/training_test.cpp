// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;

/// 1/2 sum_i c_i (q_i - 1)^2 with c = 1, 2, ...
double bowl(std::span<const std::int64_t> /*items*/, std::uint32_t /*step*/,
            std::span<const double> q, std::span<double> gradient) {
  double sum = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double curvature = static_cast<double>(i + 1);
    gradient[i] = curvature * (q[i] - 1.0);
    sum += 0.5 * curvature * (q[i] - 1.0) * (q[i] - 1.0);
  }
  return sum;
}

TEST(Training, SgdTakesPlainSteps) {
  Training training({0.0, 3.0}, 5,
                    {.optimiser = Optimiser::kSgd, .epochs = 4, .learning_rate = 0.1}, 1, 0);
  double q0 = 0.0;
  double q1 = 3.0;
  for (int epoch = 0; epoch < 4; ++epoch) {
    const double rate = 0.1 * (1.0 - epoch / 4.0);
    q0 -= rate * (q0 - 1.0);
    q1 -= rate * 2.0 * (q1 - 1.0);
    ASSERT_OK(training.runEpoch(bowl));
  }
  EXPECT_TRUE(closeTo(training.parameters()[0], q0, 1e-15));
  EXPECT_TRUE(closeTo(training.parameters()[1], q1, 1e-15));
  EXPECT_EQ(training.lossTrace().y.size(), 4U);
  EXPECT_EQ(training.lossTrace().x, (std::vector<double>{1, 2, 3, 4}));
}

TEST(Training, AdamFollowsItsDefinition) {
  Training training({0.0}, 5, {.epochs = 50, .learning_rate = 0.2, .decays = false}, 1, 0);
  double q = 0.0;
  double m = 0.0;
  double v = 0.0;
  for (int t = 1; t <= 50; ++t) {
    const double g = q - 1.0;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    q -= 0.2 * (m / (1.0 - std::pow(0.9, t))) / (std::sqrt(v / (1.0 - std::pow(0.999, t))) + 1e-8);
    ASSERT_OK(training.runEpoch(bowl));
    ASSERT_TRUE(closeTo(training.parameters()[0], q, 1e-11)) << t;
  }
}

TEST(Training, AnEpochVisitsEveryItemOnce) {
  Training training({0.0}, 23, {.epochs = 3, .batch_size = 5}, 9, 2);
  std::vector<std::int64_t> first;
  for (std::uint32_t epoch = 0; epoch < 3; ++epoch) {
    std::vector<std::int64_t> seen;
    std::uint32_t expected_step = 5 * epoch;
    const auto loss = [&](std::span<const std::int64_t> items, std::uint32_t step,
                          std::span<const double> /*q*/, std::span<double> gradient) {
      EXPECT_EQ(step, expected_step++);
      EXPECT_EQ(items.size(), seen.size() < 20 ? 5U : 3U);
      seen.insert(seen.end(), items.begin(), items.end());
      gradient[0] = 0.0;
      return static_cast<double>(items.size());
    };
    ASSERT_OK(training.runEpoch(loss));
    // Batches of 5, 5, 5, 5 and 3 items, weighted by their size.
    EXPECT_TRUE(closeTo(training.lastLoss(), (4 * 25.0 + 9.0) / 23.0, 1e-14));
    EXPECT_NE(seen, first);
    first = seen;
    std::ranges::sort(seen);
    for (std::int64_t i = 0; i < 23; ++i) {
      EXPECT_EQ(seen[static_cast<std::size_t>(i)], i);
    }
  }
}

TEST(Training, DivergenceNamesTheLearningRate) {
  Training training({0.0, 3.0}, 5,
                    {.optimiser = Optimiser::kSgd, .epochs = 5000, .learning_rate = 9.5}, 1, 0);
  Status status;
  while (status && training.done() < 5000) {
    status = training.runEpoch(bowl);
  }
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(status.error().message, HasSubstr("at learning rate 9.5; lower the learning rate"));
}

TEST(ThinnedTrace, KeepsAtMostAThousandEvenlySpacedPoints) {
  for (const int count : {1, 999, 1000, 1001, 2000, 2001, 12345}) {
    ThinnedTrace trace;
    for (int i = 1; i <= count; ++i) {
      trace.add(10.0 * i);
    }
    const Curve curve = trace.curve("c");
    EXPECT_EQ(curve.x.size(), curve.y.size());
    EXPECT_LE(curve.x.size(), 1000U);
    EXPECT_GE(curve.x.size(), std::min<std::size_t>(static_cast<std::size_t>(count), 500));
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      EXPECT_EQ(curve.y[i], 10.0 * curve.x[i]);
      EXPECT_EQ(curve.x[i],
                1.0 + static_cast<double>(i) * (curve.x.size() > 1 ? curve.x[1] - 1.0 : 0.0));
    }
  }
}

}  // namespace
}  // namespace dubito
