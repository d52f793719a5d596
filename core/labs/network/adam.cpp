// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/adam.h"

#include <cmath>

namespace dubito {

void Adam::step(double rate, std::span<double> values, std::span<const double> gradient) {
  mean_share_ *= 0.9;
  squares_share_ *= 0.999;
  for (std::size_t i = 0; i < values.size(); ++i) {
    mean_[i] += 0.1 * (gradient[i] - mean_[i]);
    squares_[i] += 0.001 * (gradient[i] * gradient[i] - squares_[i]);
    const double mean = mean_[i] / (1.0 - mean_share_);
    const double square = squares_[i] / (1.0 - squares_share_);
    values[i] -= rate * mean / (std::sqrt(square) + 1e-8);
  }
}

}  // namespace dubito
