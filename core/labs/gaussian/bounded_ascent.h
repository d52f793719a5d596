// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// A function to maximise, at one point.
struct AscentValue {
  double value = 0.0;
  std::vector<double> gradient;
};

/// Evaluates the function; kCancelled ends the ascent, any other error marks the point as
/// unusable.
using AscentFunction = std::function<Expected<AscentValue>(std::span<const double> point)>;

/// A box: low[i] <= point[i] <= high[i].
struct AscentBounds {
  std::vector<double> low;
  std::vector<double> high;
};

/// Maximises a smooth function of a few variables within a box: BFGS on the variables that are not
/// held at a bound, with a backtracking line search along the projected direction. The value never
/// falls. Meant for logarithms of parameters: one step changes a variable by at most 2.
class BoundedAscent {
 public:
  /// Starts at `point`, moved into the box. Errors of `function` there.
  [[nodiscard]] static Expected<BoundedAscent> begin(const AscentFunction& function,
                                                     std::vector<double> point,
                                                     AscentBounds bounds);
  /// One direction and its line search; does nothing after convergence. Only kCancelled is passed
  /// on.
  [[nodiscard]] Status step(const AscentFunction& function);

  [[nodiscard]] const std::vector<double>& point() const { return point_; }
  [[nodiscard]] double value() const { return current_.value; }
  [[nodiscard]] bool converged() const { return converged_; }

 private:
  BoundedAscent() = default;
  [[nodiscard]] std::vector<bool> freeVariables() const;
  [[nodiscard]] std::vector<double> direction(const std::vector<bool>& is_free) const;
  void updateCurvature(const std::vector<double>& moved, const std::vector<double>& bent);
  void resetCurvature();

  AscentBounds bounds_;
  std::vector<double> point_;
  AscentValue current_;
  std::vector<double> inverse_curvature_;  ///< [P, P], of the negative function
  bool is_reset_ = true;                   ///< whether inverse_curvature_ is the identity
  bool converged_ = false;
};

}  // namespace dubito
