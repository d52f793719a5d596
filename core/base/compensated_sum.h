// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <span>

namespace dubito {

/// Neumaier's compensated sum: the rounding error of 1e9 terms is as small as that of a few terms.
class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    compensation_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  /// Has the same effect as adding the terms of `other` one by one, up to rounding.
  void add(const CompensatedSum& other) {
    add(other.sum_);
    if (std::isfinite(other.sum_)) {
      add(other.compensation_);
    }
  }
  /// The sum. If terms are infinite, the result of plain addition, because the compensation is NaN.
  [[nodiscard]] double value() const { return std::isfinite(sum_) ? sum_ + compensation_ : sum_; }

 private:
  double sum_ = 0.0;
  double compensation_ = 0.0;
};

/// The mean; NaN of nothing.
[[nodiscard]] inline double meanOf(std::span<const double> values) {
  CompensatedSum sum;
  for (const double value : values) {
    sum.add(value);
  }
  return sum.value() / static_cast<double>(values.size());
}

}  // namespace dubito
