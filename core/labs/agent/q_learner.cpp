// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/agent/q_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

constexpr std::int64_t kStepsPerTraining = 2;
/// Trainings between two copies of the network.
constexpr std::uint32_t kTargetLife = 50;
/// Steps to remember before training begins.
constexpr std::int64_t kFirstTraining = 100;

NetworkShape qNetwork(std::int64_t state_size, std::int64_t actions, std::int64_t hidden_units) {
  return {.inputs = state_size,
          .hidden = {hidden_units, hidden_units},
          .outputs = actions,
          .activation = Activation::kRelu};
}

}  // namespace

QLearner::QLearner(std::int64_t state_size, std::int64_t actions, QLearnerOptions options,
                   std::uint64_t seed)
    : options_(options),
      seed_(seed),
      state_size_(static_cast<std::size_t>(state_size)),
      actions_(static_cast<std::size_t>(actions)),
      network_(qNetwork(state_size, actions, options.hidden_units), options.learning_rate, seed, 0),
      target_(network_.parameters()),
      masks_(network_.shape(), seed) {}

double QLearner::randomShare(std::uint32_t step) const {
  switch (options_.exploration) {
    case Exploration::kThompson:
      return 0.0;
    case Exploration::kUniform:
      return 1.0;
    case Exploration::kEpsilonGreedy:
      break;
  }
  const double done =
      options_.exploration_steps < 1
          ? 1.0
          : static_cast<double>(step) / static_cast<double>(options_.exploration_steps);
  return std::max(options_.epsilon, 1.0 - done);
}

int QLearner::choose(std::uint32_t step, std::span<const double> state) {
  std::array<double, 2> values{};
  KeyedRandom(seed_, LabSite::kAgent).uniforms(step, values);
  if (values[0] < randomShare(step)) {
    const auto action = static_cast<int>(values[1] * static_cast<double>(actions_));
    return std::min(action, static_cast<int>(actions_) - 1);
  }
  const InputScales scales = options_.exploration == Exploration::kThompson
                                 ? masks_.ofFunction(options_.drop_rate, step)
                                 : InputScales{};
  std::vector<double> q(actions_);
  network_.outputs(state, q, scales);
  return static_cast<int>(std::ranges::max_element(q) - q.begin());
}

Status QLearner::learn(std::span<const double> state, int action, double reward,
                       std::span<const double> next_state) {
  const auto place = static_cast<std::size_t>(seen_ % kMemory);
  if (place == rewards_.size()) {
    states_.insert(states_.end(), state.begin(), state.end());
    next_states_.insert(next_states_.end(), next_state.begin(), next_state.end());
    taken_.push_back(action);
    rewards_.push_back(reward);
  } else {
    std::ranges::copy(state, states_.begin() + static_cast<std::ptrdiff_t>(place * state_size_));
    std::ranges::copy(next_state,
                      next_states_.begin() + static_cast<std::ptrdiff_t>(place * state_size_));
    taken_[place] = action;
    rewards_[place] = reward;
  }
  ++seen_;
  const bool trains = seen_ >= kFirstTraining && seen_ % kStepsPerTraining == 0;
  return trains ? train() : Status{};
}

Status QLearner::train() {
  const auto size = static_cast<std::size_t>(options_.batch_size);
  std::vector<double> shares(size);
  KeyedRandom(seed_, LabSite::kShuffle).uniforms(network_.steps(), shares);
  std::vector<double> next(size * state_size_);
  batch_.clear();
  const auto remembered = std::ssize(rewards_);
  for (std::size_t i = 0; i < size; ++i) {
    const auto chosen = static_cast<std::size_t>(std::min(
        static_cast<std::int64_t>(shares[i] * static_cast<double>(remembered)), remembered - 1));
    const auto first = static_cast<std::ptrdiff_t>(chosen * state_size_);
    const auto width = static_cast<std::ptrdiff_t>(state_size_);
    batch_.inputs.insert(batch_.inputs.end(), states_.begin() + first,
                         states_.begin() + first + width);
    std::copy_n(next_states_.begin() + first, width,
                next.begin() + static_cast<std::ptrdiff_t>(i) * width);
    batch_.outputs.push_back(taken_[chosen]);
    batch_.targets.push_back(rewards_[chosen]);
  }
  std::vector<double> q(size * actions_);
  networkOutputs(network_.shape(), target_, next, q);
  for (std::size_t i = 0; i < size; ++i) {
    const auto first = q.begin() + static_cast<std::ptrdiff_t>(i * actions_);
    batch_.targets[i] +=
        options_.discount * *std::max_element(first, first + static_cast<std::ptrdiff_t>(actions_));
  }
  const InputScales scales =
      options_.exploration == Exploration::kThompson
          ? masks_.ofStep(options_.drop_rate, network_.steps(), options_.batch_size)
          : InputScales{};
  const double loss = network_.step(batch_, scales);
  if (!std::isfinite(loss)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the Q-network diverged in step {} at learning rate {:g}; lower the "
                            "learning rate",
                            seen_, options_.learning_rate));
  }
  if (network_.steps() % kTargetLife == 0) {
    target_ = network_.parameters();
  }
  return {};
}

}  // namespace dubito
