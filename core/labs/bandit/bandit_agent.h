// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// Options that the agents share; each uses some of them.
struct BanditAgentOptions {
  std::int64_t initial_pulls = 2;  ///< pulls of each arm in turn before an agent decides, >= 0
  double epsilon = 0.05;           ///< probability of a random arm, in [0, 1]
  double drop_rate = 0.1;          ///< of the hidden units, in [0, 1)
  std::int64_t members = 5;        ///< networks of an ensemble, >= 1
  /// Probability with which a member of an ensemble sees a round; 1: all members see all.
  double inclusion = 0.8;
  /// Precision of the prior of linear weights relative to that of the noise, > 0.
  double prior_precision = 0.25;
  /// Shape and rate of the inverse gamma prior of the variance of the noise, > 0.
  double noise_shape = 6.0;
  double noise_rate = 6.0;
  std::int64_t hidden_units = 50;
  std::int64_t train_every = 20;  ///< rounds between two trainings of a network
  std::int64_t batches = 40;      ///< steps of a training
  std::int64_t batch_size = 64;   ///< rounds per step
  double learning_rate = 0.003;   ///< of Adam

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const { return checkFieldsOf(*this); }
};

/// What an agent is told about a game before it begins.
struct BanditGame {
  std::int64_t arms = 0;
  std::int64_t context_size = 0;
  std::uint64_t seed = 0;  ///< all random numbers of the agent are keyed by it
};

/// A player of contextual bandits. Its choices are a function of the game and of what it has seen.
class BanditAgent {
 public:
  virtual ~BanditAgent() = default;

  /// The arm to pull in round `step`, which counts from 0, for `context` [D].
  [[nodiscard]] virtual std::int64_t choose(std::uint32_t step,
                                            std::span<const double> context) = 0;
  /// The reward of the pull of round `step`. kInvalidArgument, with a remedy, if a model diverges.
  [[nodiscard]] virtual Status learn(std::uint32_t step, std::span<const double> context,
                                     std::int64_t arm, double reward) = 0;
};

/// Description of an agent, for lists and --help.
struct BanditAgentInfo {
  const char* key = nullptr;          ///< "mc-dropout"
  const char* name = nullptr;         ///< "Thompson, MC dropout"
  const char* short_name = nullptr;   ///< for narrow legends
  const char* explanation = nullptr;  ///< one or two sentences for a student
  std::unique_ptr<BanditAgent> (*make)(const BanditGame& game,
                                       const BanditAgentOptions& options) = nullptr;
};

/// All agents, in the order of lists.
[[nodiscard]] const std::vector<BanditAgentInfo>& banditAgents();
/// nullptr if there is no such agent.
[[nodiscard]] const BanditAgentInfo* findBanditAgent(std::string_view key);

}  // namespace dubito
