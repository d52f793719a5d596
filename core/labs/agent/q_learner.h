// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/labs/network/dropout_masks.h"
#include "core/labs/network/online_network.h"

namespace dubito {

/// How an agent explores.
enum class Exploration {
  kThompson,       ///< one dropout mask per step, and the action that is best for it
  kEpsilonGreedy,  ///< an action at random with a probability that falls to epsilon
  kUniform,        ///< always an action at random; learns all the same
};

struct QLearnerOptions {
  Exploration exploration = Exploration::kThompson;
  double epsilon = 0.05;                  ///< final probability of a random action
  std::int64_t exploration_steps = 3000;  ///< over which it falls from 1
  double drop_rate = 0.1;                 ///< of kThompson
  std::int64_t hidden_units = 50;         ///< of both hidden layers
  double learning_rate = 0.001;
  double discount = 0.9;  ///< of the value of the next state
  std::int64_t batch_size = 32;
};

/// Q-learning with a small network and replay of past steps (Mnih et al. 2015): one minibatch every
/// other step moves Q(s, a) towards r + discount max_a' Q'(s', a'), where Q' is the network of up
/// to 100 steps ago. Keyed.
class QLearner {
 public:
  /// Steps that are remembered; older ones are overwritten.
  static constexpr std::int64_t kMemory = 10'000;

  QLearner(std::int64_t state_size, std::int64_t actions, QLearnerOptions options,
           std::uint64_t seed);

  /// The action for `state` in step `step`, which counts from 0.
  [[nodiscard]] int choose(std::uint32_t step, std::span<const double> state);
  /// Remembers a step and learns. kInvalidArgument, naming the learning rate, if the network
  /// diverges.
  [[nodiscard]] Status learn(std::span<const double> state, int action, double reward,
                             std::span<const double> next_state);
  /// Current probability of a random action; 0 for kThompson.
  [[nodiscard]] double randomShare(std::uint32_t step) const;

 private:
  [[nodiscard]] Status train();

  QLearnerOptions options_;
  std::uint64_t seed_;
  std::size_t state_size_;
  std::size_t actions_;
  OnlineNetwork network_;
  std::vector<double> target_;  ///< parameters of Q'
  DropoutMasks masks_;
  // The memory, a ring: [kMemory, state_size] and [kMemory].
  std::vector<double> states_;
  std::vector<double> next_states_;
  std::vector<std::int64_t> taken_;
  std::vector<double> rewards_;
  std::int64_t seen_ = 0;
  ObservedBatch batch_;
};

}  // namespace dubito
