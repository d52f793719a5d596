// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/agent/food_world.h"
#include "core/labs/agent/q_learner.h"
#include "core/labs/bandit/bandit_agent.h"
#include "core/labs/bandit/bandit_problem.h"

namespace dubito {

/// A pull, for a picture of the contexts.
struct PlanePull {
  double x = 0.0;
  double y = 0.0;
  std::int64_t arm = 0;
  double regret = 0.0;
};

/// What is recorded of a game.
struct TrialRecord {
  std::int64_t done = 0;  ///< rounds
  /// Of a bandit, the cumulative regret after every `stride` rounds; of the world, the mean reward
  /// of every `stride` steps.
  std::vector<double> values;
  double regret = 0.0;          ///< sum of best expected reward - expected reward of the pull
  double uniform_regret = 0.0;  ///< expected sum for arms chosen at random in the same rounds
  double reward = 0.0;          ///< sum
  std::vector<std::int64_t> arm_counts;  ///< [K] pulls of each arm, or actions
  std::int64_t eaten_good = 0;
  std::int64_t eaten_bad = 0;
};

/// One agent that plays one game. Keyed: the record after n rounds does not depend on how they were
/// divided into calls.
class LabTrial {
 public:
  virtual ~LabTrial() = default;

  /// Plays `rounds` further rounds. kCancelled if cancelled; after any error the trial must not be
  /// used again.
  [[nodiscard]] virtual Status advance(std::int64_t rounds, const RunContext& context) = 0;
  [[nodiscard]] const TrialRecord& record() const { return record_; }
  /// The latest pulls, oldest first; empty if they are not kept.
  [[nodiscard]] virtual std::vector<PlanePull> pulls() const { return {}; }
  /// The world of the agent; null for bandits.
  [[nodiscard]] virtual std::shared_ptr<const WorldPicture> world() const { return nullptr; }

 protected:
  TrialRecord record_;
};

/// Pulls of a bandit that are kept for a picture.
inline constexpr std::size_t kMaxPulls = 2000;

/// An agent on a bandit. `keeps_pulls`: for the picture; requires contexts of two numbers.
[[nodiscard]] std::unique_ptr<LabTrial> makeBanditTrial(BanditProblemPtr problem,
                                                        std::unique_ptr<BanditAgent> agent,
                                                        std::uint64_t seed, std::int64_t stride,
                                                        bool keeps_pulls);

/// An agent in the small world.
[[nodiscard]] std::unique_ptr<LabTrial> makeWorldTrial(const QLearnerOptions& options,
                                                       std::uint64_t seed, std::int64_t stride);

}  // namespace dubito
