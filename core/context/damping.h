// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>

namespace dubito {

/// Damping of a fixed-point iteration: the share of the old state that each step keeps. It grows
/// while the steps do not get smaller, because the state then swings around a fixed point.
class Damping {
 public:
  /// Steps over which the changes are compared.
  static constexpr std::int64_t kWindow = 10;
  /// The share grows up to here, unless it starts above.
  static constexpr double kMaxShare = 0.9;
  /// Windows without progress at the largest share until stuck().
  static constexpr std::int64_t kPatience = 10;

  explicit Damping(double share) : share_(share) {}

  [[nodiscard]] double share() const { return share_; }
  /// True if more steps are unlikely to help.
  [[nodiscard]] bool stuck() const { return windows_lost_ >= kPatience; }
  /// Takes the change of one step, before damping.
  void add(double change);

 private:
  double share_;
  std::int64_t steps_ = 0;
  double smallest_ = std::numeric_limits<double>::infinity();  ///< change in this window
  double before_ = std::numeric_limits<double>::infinity();    ///< in the windows before
  std::int64_t windows_lost_ = 0;
};

}  // namespace dubito
