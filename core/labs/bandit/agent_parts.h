// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/labs/bandit/bandit_agent.h"
#include "core/labs/bandit/normal_inverse_gamma.h"

namespace dubito {

/// One Bayesian linear model per arm, of `weights` features.
[[nodiscard]] std::vector<NormalInverseGamma> armModels(const BanditGame& game,
                                                        std::int64_t weights,
                                                        const BanditAgentOptions& options);
/// Thompson sampling: the best arm for the features `phi` if the weights are drawn.
[[nodiscard]] std::int64_t drawnArm(const std::vector<NormalInverseGamma>& models,
                                    std::span<const double> phi, const BanditGame& game,
                                    std::uint32_t step);

/// Index of the largest value; the first one of several.
[[nodiscard]] std::int64_t bestArm(std::span<const double> values);

/// With probability `epsilon` an arm at random, else nothing; a function of (seed, step).
[[nodiscard]] std::optional<std::int64_t> randomArm(double epsilon, const BanditGame& game,
                                                    std::uint32_t step);

/// An agent that first pulls each arm in turn, as in the experiments of Riquelme, Tucker and Snoek
/// (2018), and decides afterwards.
class RotatingAgent : public BanditAgent {
 public:
  RotatingAgent(const BanditGame& game, const BanditAgentOptions& options)
      : game_(game), rotation_(options.initial_pulls * game.arms) {}

  [[nodiscard]] std::int64_t choose(std::uint32_t step, std::span<const double> context) final {
    return step < rotation_ ? step % game_.arms : decide(step, context);
  }

 protected:
  [[nodiscard]] virtual std::int64_t decide(std::uint32_t step,
                                            std::span<const double> context) = 0;
  [[nodiscard]] const BanditGame& game() const { return game_; }
  /// Rounds that are played in turn.
  [[nodiscard]] std::int64_t rotation() const { return rotation_; }

 private:
  BanditGame game_;
  std::int64_t rotation_;
};

/// BanditAgentInfo::make of an agent.
template <class Agent>
[[nodiscard]] std::unique_ptr<BanditAgent> makeAgent(const BanditGame& game,
                                                     const BanditAgentOptions& options) {
  return std::make_unique<Agent>(game, options);
}
/// The same for an epsilon-greedy agent without random arms.
template <class Agent>
[[nodiscard]] std::unique_ptr<BanditAgent> makeGreedy(const BanditGame& game,
                                                      const BanditAgentOptions& options) {
  BanditAgentOptions greedy = options;
  greedy.epsilon = 0.0;
  return makeAgent<Agent>(game, greedy);
}

// The rows of the registry that are in network_agents.cpp.
[[nodiscard]] BanditAgentInfo dropoutThompsonAgent();
[[nodiscard]] BanditAgentInfo ensembleThompsonAgent();
[[nodiscard]] BanditAgentInfo laplaceThompsonAgent();
[[nodiscard]] BanditAgentInfo epsilonGreedyAgent();
[[nodiscard]] BanditAgentInfo greedyAgent();

}  // namespace dubito
