// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dubito {

/// Adam (Kingma and Ba 2015) with its usual constants 0.9, 0.999 and 1e-8.
class Adam {
 public:
  explicit Adam(std::size_t dimension) : mean_(dimension), squares_(dimension) {}

  /// Moves `values` [D] against `gradient` [D] by a step of size `rate`.
  void step(double rate, std::span<double> values, std::span<const double> gradient);

 private:
  std::vector<double> mean_;     ///< running mean of the gradient
  std::vector<double> squares_;  ///< running mean of its square
  // 0.9^steps and 0.999^steps, by multiplication: std::pow differs between machines.
  double mean_share_ = 1.0;
  double squares_share_ = 1.0;
};

}  // namespace dubito
