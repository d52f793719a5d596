// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

#include "core/base/compensated_sum.h"

namespace dubito {

/// The sum of any number of quotients that are not negative. They are divided and added up in
/// groups, and the groups with compensation: one division after the other, each waiting for the sum
/// before it, takes several times as long.
class QuotientSum {
 public:
  /// `denominator` is not 0.
  void add(double numerator, double denominator) {
    numerators_[waiting_] = numerator;
    denominators_[waiting_] = denominator;
    if (++waiting_ == kGroup) {
      sum_.add(sumOfWaiting());
      waiting_ = 0;
    }
  }
  /// Adds the quotients of `other`.
  void add(const QuotientSum& other) {
    sum_.add(sumOfWaiting());
    waiting_ = 0;
    sum_.add(other.sum_);
    sum_.add(other.sumOfWaiting());
  }
  [[nodiscard]] double value() const {
    CompensatedSum sum = sum_;
    sum.add(sumOfWaiting());
    return sum.value();
  }

 private:
  static constexpr std::size_t kGroup = 64;
  static constexpr std::size_t kLanes = 8;

  [[nodiscard]] double sumOfWaiting() const {
    std::array<double, kLanes> lanes = {};
    std::size_t i = 0;
    for (; i + kLanes <= waiting_; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] += numerators_[i + lane] / denominators_[i + lane];
      }
    }
    double rest = 0.0;
    for (; i < waiting_; ++i) {
      rest += numerators_[i] / denominators_[i];
    }
    return rest + (((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
                   ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7])));
  }

  CompensatedSum sum_;
  std::size_t waiting_ = 0;
  std::array<double, kGroup> numerators_ = {};
  std::array<double, kGroup> denominators_ = {};
};

}  // namespace dubito
