// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/uci/mixture_score.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "core/labs/network/portable_math.h"

namespace dubito {

MixtureScore::MixtureScore(const UciProblem& problem)
    : problem_(problem),
      sums_of_means_(problem.test_y.size()),
      largest_(problem.test_y.size(), -std::numeric_limits<double>::infinity()),
      sums_(problem.test_y.size()) {
  for (const double target : problem.test_y) {
    targets_.push_back((target - problem.target_mean) / problem.target_std);
  }
}

void MixtureScore::addItem(std::size_t item, double mean, double log_scale, double precision) {
  sums_of_means_[item] += mean;
  const double residual = targets_[item] - mean;
  const double exponent = log_scale - 0.5 * precision * residual * residual;
  if (exponent > largest_[item]) {
    sums_[item] = sums_[item] * portableExp(largest_[item] - exponent) + 1.0;
    largest_[item] = exponent;
  } else {
    sums_[item] += portableExp(exponent - largest_[item]);
  }
}

void MixtureScore::add(std::span<const double> means, double variance) {
  const double log_scale = -0.5 * std::log(variance);
  for (std::size_t i = 0; i < means.size(); ++i) {
    addItem(i, means[i], log_scale, 1.0 / variance);
  }
  ++components_;
}

void MixtureScore::add(std::span<const double> means, std::span<const double> variances) {
  for (std::size_t i = 0; i < means.size(); ++i) {
    addItem(i, means[i], -0.5 * std::log(variances[i]), 1.0 / variances[i]);
  }
  ++components_;
}

UciScore MixtureScore::score() const {
  const auto components = static_cast<double>(components_);
  const auto items = static_cast<double>(targets_.size());
  double squares = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const double residual = targets_[i] - sums_of_means_[i] / components;
    squares += residual * residual;
    sum += largest_[i] + std::log(sums_[i] / components);
  }
  // A density per unit of the target is that per standard deviation, divided by the deviation.
  const double constant = 0.5 * std::log(2.0 * std::numbers::pi) + std::log(problem_.target_std);
  return {problem_.target_std * std::sqrt(squares / items), sum / items - constant};
}

}  // namespace dubito
