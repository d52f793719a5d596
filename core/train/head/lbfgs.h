// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dubito {

/// A function to be minimised: its value at `point`; writes the gradient.
using Objective = std::function<double(std::span<const double> point, std::span<double> gradient)>;

struct LbfgsOptions {
  std::int64_t max_iterations = 200;
  /// Stop when no element of the gradient is larger.
  double tolerance = 1e-5;
  std::int64_t history = 10;  ///< remembered steps
};

/// A point of the minimisation.
struct LbfgsStep {
  std::int64_t iteration = 0;  ///< 0: the start
  double value = 0.0;
  double largest_gradient = 0.0;
};

/// Minimises a smooth function with L-BFGS (Liu and Nocedal 1989), whose steps satisfy the weak
/// Wolfe conditions, from `point`, which becomes the result. Calls `on_step` after every iteration;
/// stops if it returns false. Also stops if rounding prevents any further decrease. Returns the
/// last step.
LbfgsStep minimise(const Objective& objective, std::vector<double>& point,
                   const LbfgsOptions& options,
                   const std::function<bool(const LbfgsStep&, std::span<const double>)>& on_step);

}  // namespace dubito
