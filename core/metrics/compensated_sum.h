// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace dubito {

/// Neumaier's sum: the rounding error of 1e9 terms is as small as that of a few.
class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    compensation_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  /// As if the terms of `other` had been added one by one.
  void add(const CompensatedSum& other) {
    add(other.sum_);
    if (std::isfinite(other.sum_)) {
      add(other.compensation_);
    }
  }
  /// With infinite terms, the result of plain addition: their compensation is NaN.
  [[nodiscard]] double value() const { return std::isfinite(sum_) ? sum_ + compensation_ : sum_; }

 private:
  double sum_ = 0.0;
  double compensation_ = 0.0;
};

}  // namespace dubito
