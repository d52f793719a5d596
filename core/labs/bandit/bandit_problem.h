// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dubito {

/// One round of a contextual bandit. An agent sees the context and the reward of the arm that it
/// pulls, nothing else.
struct BanditRound {
  std::vector<double> context;   ///< [D]
  std::vector<double> expected;  ///< [K] expected reward of each arm, given the context
  std::vector<double> rewards;   ///< [K] reward that a pull of the arm would give

  /// Largest expected reward.
  [[nodiscard]] double best() const;
  /// Expected regret of an arm chosen at random: best() - mean of `expected`.
  [[nodiscard]] double uniformRegret() const;
};

/// A contextual bandit. Immutable, thread-safe and keyed: round t of a seed does not depend on what
/// was pulled before, so all agents play the same rounds.
class BanditProblem {
 public:
  virtual ~BanditProblem() = default;

  [[nodiscard]] virtual std::int64_t armCount() const = 0;
  [[nodiscard]] virtual std::int64_t contextSize() const = 0;
  /// Fills round `step`, which counts from 0, of the game `seed`.
  virtual void play(std::uint64_t seed, std::uint32_t step, BanditRound& round) const = 0;
  /// Mean over contexts of the regret of an arm chosen at random, in closed form; absent if there
  /// is none.
  [[nodiscard]] virtual std::optional<double> expectedUniformRegret() const { return std::nullopt; }
  /// Names of the arms [K].
  [[nodiscard]] virtual std::vector<std::string> armNames() const;
  /// Names of the two numbers of a context, for a picture; empty if a context has not two numbers.
  [[nodiscard]] virtual std::vector<std::string> planeNames() const { return {}; }
  /// What was done to the data, in plain sentences ("3 rows left out").
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};
using BanditProblemPtr = std::shared_ptr<const BanditProblem>;

}  // namespace dubito
