// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// Adapts a step size until the mean acceptance is `target` (Nesterov's dual averaging as in
/// Hoffman and Gelman 2014, section 3.2).
class DualAveraging {
 public:
  /// `step` > 0: first guess; `target` in (0, 1).
  DualAveraging(double step, double target);
  /// `acceptance` in [0, 1]: probability of acceptance in the last transition.
  void update(double acceptance);
  /// Step size to try next.
  [[nodiscard]] double step() const { return step_; }
  /// Weighted mean of the step sizes so far, to be used once the adaptation ends.
  [[nodiscard]] double averaged() const { return averaged_; }

 private:
  double target_;
  double shrink_to_;
  std::int64_t updates_ = 0;
  double error_ = 0.0;
  double step_;
  double averaged_;
};

}  // namespace dubito
