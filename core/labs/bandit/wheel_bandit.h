// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/labs/bandit/bandit_problem.h"

namespace dubito {

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

  [[nodiscard]] double delta() const { return delta_; }
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
