// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>

namespace dubito {
namespace {

using Vector = std::vector<double>;

constexpr double kSufficientDecrease = 1e-4;
constexpr double kCurvature = 0.9;
/// Relative difference of two values that may be rounding.
constexpr double kRounding = 1e-14;
constexpr int kMaxTrials = 40;

double innerProduct(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double largestElement(const Vector& values) {
  double largest = 0.0;
  for (const double value : values) {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

void addScaled(double factor, const Vector& from, Vector& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] += factor * from[i];
  }
}

/// One remembered step.
struct Correction {
  Vector step;
  Vector change;  ///< of the gradient
  double product = 0.0;
};

/// The quasi-Newton direction for the gradient (two-loop recursion).
Vector directionOf(const Vector& gradient, const std::deque<Correction>& history) {
  Vector direction = gradient;
  Vector weights;
  for (auto correction = history.rbegin(); correction != history.rend(); ++correction) {
    weights.push_back(innerProduct(correction->step, direction) / correction->product);
    addScaled(-weights.back(), correction->change, direction);
  }
  if (!history.empty()) {
    const Correction& newest = history.back();
    const double scale = newest.product / innerProduct(newest.change, newest.change);
    std::ranges::for_each(direction, [scale](double& value) { value *= scale; });
  }
  for (const Correction& correction : history) {
    const double weight = weights.back();
    weights.pop_back();
    addScaled(weight - innerProduct(correction.change, direction) / correction.product,
              correction.step, direction);
  }
  std::ranges::for_each(direction, [](double& value) { value = -value; });
  return direction;
}

struct Trial {
  Vector point;
  Vector gradient;
  double value = 0.0;
};

/// Follows `direction` from `start` to a point that satisfies the weak Wolfe conditions, by
/// bisection; false if rounding prevents any decrease.
bool searchLine(const Objective& objective, const Trial& start, const Vector& direction,
                double length, Trial& found) {
  const double slope = innerProduct(start.gradient, direction);
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < kMaxTrials; ++trial) {
    found.point = start.point;
    addScaled(length, direction, found.point);
    found.value = objective(found.point, found.gradient);
    const double slope_there = innerProduct(found.gradient, direction);
    // Near the minimum, values differ by rounding only and slopes are compared instead (Hager and
    // Zhang 2005).
    const bool decreases = found.value <= start.value + kSufficientDecrease * length * slope ||
                           (found.value <= start.value + kRounding * std::abs(start.value) &&
                            slope_there <= (2.0 * kSufficientDecrease - 1.0) * slope);
    // A value that is not a number is no decrease.
    if (!decreases) {
      high = length;
    } else if (slope_there < kCurvature * slope) {
      low = length;
    } else {
      return true;
    }
    length = std::isinf(high) ? 2.0 * low : 0.5 * (low + high);
  }
  return found.value < start.value;
}

}  // namespace

LbfgsStep minimise(const Objective& objective, std::vector<double>& point,
                   const LbfgsOptions& options,
                   const std::function<bool(const LbfgsStep&, std::span<const double>)>& on_step) {
  Trial present{point, Vector(point.size()), 0.0};
  present.value = objective(present.point, present.gradient);
  LbfgsStep step{0, present.value, largestElement(present.gradient)};
  std::deque<Correction> history;
  Trial next{point, Vector(point.size()), 0.0};
  while (step.iteration < options.max_iterations && step.largest_gradient > options.tolerance) {
    const Vector direction = directionOf(present.gradient, history);
    const double length =
        history.empty() ? 1.0 / std::sqrt(innerProduct(present.gradient, present.gradient)) : 1.0;
    if (!searchLine(objective, present, direction, length, next)) {
      if (history.empty()) {
        break;
      }
      history.clear();  // once more along the gradient
      continue;
    }
    Correction correction{next.point, next.gradient, 0.0};
    addScaled(-1.0, present.point, correction.step);
    addScaled(-1.0, present.gradient, correction.change);
    correction.product = innerProduct(correction.step, correction.change);
    if (correction.product > 0.0) {
      history.push_back(std::move(correction));
      if (static_cast<std::int64_t>(history.size()) > options.history) {
        history.pop_front();
      }
    }
    std::swap(present, next);
    step = {step.iteration + 1, present.value, largestElement(present.gradient)};
    if (!on_step(step, present.point)) {
      break;
    }
  }
  point = std::move(present.point);
  return step;
}

}  // namespace dubito
