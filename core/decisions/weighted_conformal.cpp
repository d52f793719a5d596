// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/weighted_conformal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace dubito {

WeightedConformal::WeightedConformal(std::span<const double> scores,
                                     std::span<const double> weights) {
  if (scores.size() != weights.size()) {
    throw std::invalid_argument("WeightedConformal: sizes differ");
  }
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [scores](std::size_t i) { return scores[i]; });
  double sum = 0.0;
  for (const std::size_t i : order) {
    if (std::isnan(scores[i]) || !(weights[i] >= 0.0) || std::isinf(weights[i])) {
      throw std::invalid_argument("WeightedConformal: a score is NaN or a weight is invalid");
    }
    sum += weights[i];
    squares_ += weights[i] * weights[i];
    scores_.push_back(scores[i]);
    cumulative_.push_back(sum);
  }
}

double WeightedConformal::threshold(double alpha, double weight_of_test) const {
  const double calibration = cumulative_.empty() ? 0.0 : cumulative_.back();
  const double total = calibration + weight_of_test;
  // As in conformalOrder(), alpha is a decimal number: 1e-9 of an item is rounding.
  const double tolerance = 1e-9 * total / static_cast<double>(scores_.size() + 1);
  const double wanted = total - (alpha * total + tolerance);
  const auto found = std::ranges::lower_bound(cumulative_, wanted);
  return found == cumulative_.end() || total <= 0.0
             ? std::numeric_limits<double>::infinity()
             : scores_[static_cast<std::size_t>(found - cumulative_.begin())];
}

double WeightedConformal::effectiveItems() const {
  return squares_ > 0.0 ? cumulative_.back() * cumulative_.back() / squares_ : 0.0;
}

}  // namespace dubito
