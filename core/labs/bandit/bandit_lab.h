// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/mean_with_error.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/labs/bandit/bandit_agent.h"
#include "core/labs/bandit/bandit_problem.h"
#include "core/labs/bandit/lab_trial.h"

namespace dubito {

/// What is played in the bandit laboratory.
struct BanditLabOptions {
  std::string problem = "wheel";  ///< "wheel", "linear", "agent" or "csv:FILE?label=COLUMN"
  double delta = 0.95;            ///< of "wheel": radius beyond which an arm pays 50, in [0, 1)
  std::int64_t arms = 8;          ///< of "linear", 2 to 20
  std::int64_t dimensions = 10;   ///< of "linear", 1 to 50
  double reward_noise = 0.1;      ///< of "linear", standard deviation of a reward, >= 0
  std::int64_t steps = 2000;      ///< rounds of a game
  std::int64_t seeds = 5;         ///< games per agent, 1 to 100
  /// Of "agent": steps over which epsilon-greedy comes down from random actions.
  std::int64_t exploration_steps = 3000;
  std::vector<std::string> agents = {"laplace", "linear", "epsilon-greedy",
                                     "greedy"};  ///< keys of banditAgents()
  BanditAgentOptions agent;

  [[nodiscard]] bool isWorld() const { return problem == "agent"; }
  /// All options but the list of agents.
  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Whether an agent can play the small world.
[[nodiscard]] bool playsWorld(const std::string& agent);

/// An agent at one moment, over all its games.
struct BanditAgentPicture {
  std::string key;
  std::string name;
  std::string short_name;
  /// Mean over games against the round: cumulative regret, or in the world mean reward per step.
  Curve curve;
  /// Of the curve: mean +- 2 standard errors; the mean itself for a single game.
  std::vector<Interval> band;
  MeanWithError regret;  ///< cumulative; NaN in the world
  /// The same in percent of the expected regret of arms chosen at random in the same rounds.
  MeanWithError normalised;
  MeanWithError reward;                  ///< per round
  std::vector<double> regret_of_games;   ///< [seeds]
  std::vector<std::int64_t> arm_counts;  ///< [K] over all games
  std::int64_t eaten_good = 0;           ///< over all games
  std::int64_t eaten_bad = 0;
  std::vector<PlanePull> pulls;               ///< of the first game, if contexts are in a plane
  std::shared_ptr<const WorldPicture> world;  ///< of the first game; null for bandits
};

/// What the laboratory shows at one moment. Immutable.
struct BanditPicture {
  bool is_world = false;
  std::int64_t done = 0;  ///< rounds of each game
  std::int64_t total = 0;
  std::int64_t seeds = 0;
  std::vector<BanditAgentPicture> agents;
  std::vector<std::string> arm_names;
  std::vector<std::string> plane_names;  ///< of the two numbers of a context; empty: not a plane
  /// Regret per round of arms chosen at random, in closed form.
  std::optional<double> expected_uniform_regret;
  std::vector<std::string> notes;
};

/// Agents that play the same games, each several. Keyed: the state after n rounds depends on
/// options, file and seed alone, whatever the threads. Game g of every agent has the same rounds.
class BanditLab {
 public:
  /// Opens the problem. kInvalidArgument if an option is not valid; the errors of
  /// readLabelledTable(); kOutOfMemory if the games are too long and too many to be remembered.
  [[nodiscard]] static Expected<BanditLab> start(const BanditLabOptions& options,
                                                 std::uint64_t seed, RunContext& context);

  /// Plays up to `rounds` further rounds of every game. kCancelled if cancelled; after any error
  /// the laboratory must not be used again.
  [[nodiscard]] Status advance(std::int64_t rounds, RunContext& context);
  [[nodiscard]] BanditPicture picture() const;
  [[nodiscard]] std::int64_t done() const { return done_; }
  [[nodiscard]] std::int64_t total() const { return options_.steps; }

 private:
  BanditLab(BanditLabOptions options, BanditProblemPtr problem)
      : options_(std::move(options)), problem_(std::move(problem)) {}
  [[nodiscard]] std::int64_t stride() const;
  void addTrials(std::uint64_t seed);
  void addCurve(BanditAgentPicture& agent, std::size_t first) const;
  void addNumbers(BanditAgentPicture& agent, std::size_t first) const;

  BanditLabOptions options_;
  BanditProblemPtr problem_;                       ///< null for the world
  std::vector<std::unique_ptr<LabTrial>> trials_;  ///< [agents, seeds]
  std::int64_t done_ = 0;
};

/// The seed of game `game` of the laboratory.
[[nodiscard]] std::uint64_t seedOfGame(std::uint64_t seed, std::int64_t game);

}  // namespace dubito
