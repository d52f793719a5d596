// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/labs/bandit/bandit_problem.h"

namespace dubito {

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

}  // namespace dubito
