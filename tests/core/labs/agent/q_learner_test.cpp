// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/agent/q_learner.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace dubito {
namespace {

using State = std::vector<double>;

/// Two states. In the first, action 0 pays 0.5 and stays, action 1 pays nothing and leads to the
/// second; there, action 0 pays 2 and action 1 nothing, and both lead back. Going round pays 1 per
/// step, staying 0.5, so only an agent that looks ahead leaves.
struct TwoStates {
  bool is_second = false;

  [[nodiscard]] State state() const { return is_second ? State{0.0, 1.0} : State{1.0, 0.0}; }
  double act(int action) {
    const double reward = is_second ? (action == 0 ? 2.0 : 0.0) : (action == 0 ? 0.5 : 0.0);
    is_second = !is_second && action == 1;
    return reward;
  }
};

std::array<int, 2> learnedActions(QLearnerOptions options, int steps) {
  QLearner learner(2, 2, options, 1);
  TwoStates world;
  for (int step = 0; step < steps; ++step) {
    const State before = world.state();
    const int action = learner.choose(static_cast<std::uint32_t>(step), before);
    const double reward = world.act(action);
    EXPECT_TRUE(learner.learn(before, action, reward, world.state()));
  }
  // Most frequent choice: those of a dropout network vary.
  std::array<int, 2> often{};
  for (std::uint32_t i = 0; i < 101; ++i) {
    const auto step = static_cast<std::uint32_t>(steps) + i;
    often[0] += learner.choose(step, {{1.0, 0.0}});
    often[1] += learner.choose(step, {{0.0, 1.0}});
  }
  return {often[0] > 50 ? 1 : 0, often[1] > 50 ? 1 : 0};
}

TEST(QLearner, LooksAhead) {
  for (const Exploration exploration : {Exploration::kThompson, Exploration::kEpsilonGreedy}) {
    QLearnerOptions options;
    options.exploration = exploration;
    options.exploration_steps = 1000;
    options.learning_rate = 0.003;
    options.hidden_units = 20;
    EXPECT_EQ(learnedActions(options, 3000), (std::array<int, 2>{1, 0}));
    // Without a future, the small reward at once is better.
    options.discount = 0.0;
    EXPECT_EQ(learnedActions(options, 3000), (std::array<int, 2>{0, 0}));
  }
}

TEST(QLearner, ComesDownFromRandomActions) {
  QLearnerOptions options;
  options.exploration = Exploration::kEpsilonGreedy;
  options.exploration_steps = 100;
  options.epsilon = 0.1;
  const QLearner learner(2, 2, options, 1);
  EXPECT_EQ(learner.randomShare(0), 1.0);
  EXPECT_NEAR(learner.randomShare(50), 0.5, 1e-12);
  EXPECT_EQ(learner.randomShare(1000), 0.1);
  options.exploration = Exploration::kThompson;
  EXPECT_EQ(QLearner(2, 2, options, 1).randomShare(0), 0.0);
}

TEST(QLearner, SaysThatItsNetworkDiverges) {
  QLearnerOptions options;
  options.learning_rate = 1e200;
  QLearner learner(2, 2, options, 1);
  Status learned;
  for (std::uint32_t step = 0; step < 400 && learned; ++step) {
    const State state = {1.0, 0.0};
    learned = learner.learn(state, learner.choose(step, state), 1.0, state);
  }
  ASSERT_FALSE(learned);
  EXPECT_NE(learned.error().message.find("lower the learning rate"), std::string::npos);
}

}  // namespace
}  // namespace dubito
