// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/labs/bandit/bandit_problem.h"
#include "core/labs/bandit/lab_trial.h"

namespace dubito {
namespace {

/// Knows the wheel.
class OptimalWheelAgent : public BanditAgent {
 public:
  explicit OptimalWheelAgent(double delta) : delta_(delta) {}

  [[nodiscard]] std::int64_t choose(std::uint32_t /*step*/,
                                    std::span<const double> context) override {
    if (std::hypot(context[0], context[1]) <= delta_) {
      return 0;
    }
    return 1 + (context[0] > 0.0 ? 0 : 2) + (context[1] > 0.0 ? 0 : 1);
  }
  [[nodiscard]] Status learn(std::uint32_t /*step*/, std::span<const double> /*context*/,
                             std::int64_t /*arm*/, double /*reward*/) override {
    return {};
  }

 private:
  double delta_;
};

TEST(WheelBandit, HasThePublishedRewards) {
  const WheelBandit wheel(0.8);
  BanditRound round;
  std::int64_t outside = 0;
  double squares = 0.0;
  constexpr std::uint32_t kRounds = 20000;
  for (std::uint32_t t = 0; t < kRounds; ++t) {
    wheel.play(11, t, round);
    const double radius = std::hypot(round.context[0], round.context[1]);
    ASSERT_LE(radius, 1.0);
    const auto pays = std::ranges::count(round.expected, 50.0);
    ASSERT_EQ(pays, radius > 0.8 ? 1 : 0);
    outside += pays;
    ASSERT_EQ(round.expected[0], 1.2);
    for (std::size_t arm = 0; arm < 5; ++arm) {
      const double noise = round.rewards[arm] - round.expected[arm];
      squares += noise * noise / (5.0 * kRounds);
    }
  }
  // Contexts are uniform in the disc.
  const double share = 1.0 - 0.8 * 0.8;
  EXPECT_NEAR(static_cast<double>(outside) / kRounds, share,
              3.0 * std::sqrt(share * (1.0 - share) / kRounds));
  EXPECT_NEAR(std::sqrt(squares), 0.01, 1e-4);
}

TEST(WheelBandit, OptimalPlayHasNoRegret) {
  for (const double delta : {0.5, 0.95}) {
    const auto trial = makeBanditTrial(std::make_shared<WheelBandit>(delta),
                                       std::make_unique<OptimalWheelAgent>(delta), 5, 10, false);
    ASSERT_TRUE(trial->advance(3000, RunContext()));
    EXPECT_EQ(trial->record().regret, 0.0);
    EXPECT_EQ(trial->record().values.size(), 300U);
    // Another radius is not optimal.
    const auto other = makeBanditTrial(std::make_shared<WheelBandit>(delta),
                                       std::make_unique<OptimalWheelAgent>(0.8), 5, 10, false);
    ASSERT_TRUE(other->advance(3000, RunContext()));
    EXPECT_GT(other->record().regret, 50.0);
  }
}

TEST(WheelBandit, RegretOfRandomArmsIsThatOfTheClosedForm) {
  for (const double delta : {0.5, 0.9, 0.99}) {
    const auto wheel = std::make_shared<WheelBandit>(delta);
    const double inside = 1.2 - (1.2 + 4.0) / 5.0;
    const double outside = 50.0 - (1.2 + 3.0 + 50.0) / 5.0;
    const double expected = delta * delta * inside + (1.0 - delta * delta) * outside;
    EXPECT_NEAR(*wheel->expectedUniformRegret(), expected, 1e-12);
    constexpr int kRounds = 40000;
    const BanditGame game{5, 2, 17};
    const auto trial = makeBanditTrial(
        wheel, findBanditAgent("uniform")->make(game, BanditAgentOptions()), 17, 1, false);
    ASSERT_TRUE(trial->advance(kRounds, RunContext()));
    // Standard error of the mean from the regrets themselves.
    const std::vector<double>& sums = trial->record().values;
    const double mean = trial->record().regret / kRounds;
    double variance = 0.0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double regret = sums[i] - (i == 0 ? 0.0 : sums[i - 1]);
      variance += (regret - mean) * (regret - mean) / kRounds;
    }
    EXPECT_NEAR(mean, expected, 3.0 * std::sqrt(variance / kRounds)) << delta;
    // Of the same rounds, only the arms vary.
    EXPECT_NEAR(trial->record().uniform_regret / kRounds, expected,
                3.0 * std::sqrt(variance / kRounds));
  }
}

TEST(LinearBandit, IsLinearWithDirectionsOfLengthOne) {
  constexpr std::int64_t kWidth = 3;
  const LinearBandit linear(4, kWidth, 0.5);
  // Recovers the direction of arm 2 from three rounds (Cramer's rule).
  std::vector<BanditRound> rounds(4);
  for (std::uint32_t t = 0; t < 4; ++t) {
    linear.play(9, t, rounds[t]);
  }
  const auto determinant = [](const std::vector<double>& a, const std::vector<double>& b,
                              const std::vector<double>& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  };
  const double whole = determinant(rounds[0].context, rounds[1].context, rounds[2].context);
  std::vector<double> direction;
  for (std::size_t column = 0; column < kWidth; ++column) {
    std::vector<std::vector<double>> rows;
    for (std::size_t t = 0; t < kWidth; ++t) {
      rows.push_back(rounds[t].context);
      rows.back()[column] = rounds[t].expected[2];
    }
    direction.push_back(determinant(rows[0], rows[1], rows[2]) / whole);
  }
  EXPECT_NEAR(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0), 1.0,
              1e-9);
  EXPECT_NEAR(
      std::inner_product(direction.begin(), direction.end(), rounds[3].context.begin(), 0.0),
      rounds[3].expected[2], 1e-9);
  // Another game has other directions, the same game the same.
  BanditRound other;
  linear.play(10, 0, other);
  EXPECT_NE(other.expected, rounds[0].expected);
  linear.play(9, 0, other);
  EXPECT_EQ(other.rewards, rounds[0].rewards);
}

}  // namespace
}  // namespace dubito
