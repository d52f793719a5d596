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

/// Rewards linear in the context (Riquelme, Tucker and Snoek 2018): contexts are standard normal in
/// D dimensions, arm k gives beta_k . x + N(0, noise^2), with beta_k uniform on the unit sphere and
/// different in every game.
class LinearBandit : public BanditProblem {
 public:
  /// `arms` and `dimensions` >= 1, `noise` >= 0.
  LinearBandit(std::int64_t arms, std::int64_t dimensions, double noise)
      : arms_(arms), dimensions_(dimensions), noise_(noise) {}

  [[nodiscard]] std::int64_t armCount() const override { return arms_; }
  [[nodiscard]] std::int64_t contextSize() const override { return dimensions_; }
  void play(std::uint64_t seed, std::uint32_t step, BanditRound& round) const override;
  [[nodiscard]] std::vector<std::string> planeNames() const override;

 private:
  std::int64_t arms_;
  std::int64_t dimensions_;
  double noise_;
};

/// The wheel bandit (Riquelme, Tucker and Snoek 2018, section 5.4): contexts are uniform in the
/// unit disc, and there are five arms. Arm 1 always gives 1.2. Arms 2 to 5 give 1, except that
/// outside the radius delta one of them, depending on the quadrant, gives 50. All rewards have
/// noise of standard deviation 0.01. The larger delta, the rarer is a context that shows the 50.
class WheelBandit : public BanditProblem {
 public:
  static constexpr std::int64_t kArms = 5;
  static constexpr double kSafeReward = 1.2;    ///< mu_1, of arm 1
  static constexpr double kSmallReward = 1.0;   ///< mu_2
  static constexpr double kLargeReward = 50.0;  ///< mu_3
  static constexpr double kNoise = 0.01;

  /// `delta` in [0, 1].
  explicit WheelBandit(double delta) : delta_(delta) {}

  [[nodiscard]] std::int64_t armCount() const override { return kArms; }
  [[nodiscard]] std::int64_t contextSize() const override { return 2; }
  void play(std::uint64_t seed, std::uint32_t step, BanditRound& round) const override;
  [[nodiscard]] std::optional<double> expectedUniformRegret() const override;
  [[nodiscard]] std::vector<std::string> armNames() const override;
  [[nodiscard]] std::vector<std::string> planeNames() const override { return {"x", "y"}; }

 private:
  double delta_;
};

}  // namespace dubito
