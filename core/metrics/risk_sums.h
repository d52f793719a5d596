// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/metrics/compensated_sum.h"

namespace dubito {

/// Computes the areas under the risk-coverage curve. Add the groups of items with equal scores,
/// most certain group first; the errors of a group are treated as evenly spread over it.
class RiskSums {
 public:
  /// Adds a group of `items` items, `errors` of them misclassified.
  void add(std::int64_t items, std::int64_t errors) {
    const auto before = static_cast<double>(errors_);
    if (errors_ + errors > 0) {
      if (items == 1) {
        risks_.add((before + static_cast<double>(errors)) / static_cast<double>(items_ + 1));
      } else {
        addGroup(items, errors);
      }
      // The trapezoids of a straight line.
      generalised_.add(static_cast<double>(items) * (before + 0.5 * static_cast<double>(errors)));
    }
    items_ += items;
    errors_ += errors;
  }

  /// Mean over k = 1..N of the risk of the k most certain items.
  [[nodiscard]] double aurc() const { return risks_.value() / static_cast<double>(items_); }
  /// AUGRC: trapezoids of errors(k)/N over k/N, from k = 0.
  [[nodiscard]] double augrc() const {
    const auto n = static_cast<double>(items_);
    return generalised_.value() / (n * n);
  }

 private:
  void addGroup(std::int64_t items, std::int64_t errors) {
    const double slope = static_cast<double>(errors) / static_cast<double>(items);
    for (std::int64_t place = 1; place <= items; ++place) {
      const double expected = static_cast<double>(errors_) + slope * static_cast<double>(place);
      risks_.add(expected / static_cast<double>(items_ + place));
    }
  }

  std::int64_t items_ = 0;
  std::int64_t errors_ = 0;
  CompensatedSum risks_;
  CompensatedSum generalised_;
};

/// AURC of a score that ranks all `errors` misclassified items out of `items` last.
[[nodiscard]] inline double oracleAurcOf(std::int64_t items, std::int64_t errors) {
  CompensatedSum sum;
  for (std::int64_t k = items - errors + 1; k <= items; ++k) {
    sum.add(static_cast<double>(k - (items - errors)) / static_cast<double>(k));
  }
  return sum.value() / static_cast<double>(items);
}

}  // namespace dubito
