// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/moment_match.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace dubito {

std::vector<double> momentMatchedAlpha(std::span<const double> mean,
                                       std::span<const double> variance) {
  if (mean.size() < 2 || mean.size() != variance.size()) {
    throw std::invalid_argument(
        "momentMatchedAlpha: needs mean and variance of two or more classes");
  }
  constexpr double kMinPrecision = 1e-6;
  constexpr double kMaxPrecision = 1e12;
  constexpr double kMinAlpha = 1e-300;
  double spread = 0.0;
  double total_variance = 0.0;
  for (std::size_t k = 0; k < mean.size(); ++k) {
    spread += mean[k] * (1.0 - mean[k]);
    total_variance += variance[k];
  }
  // A mean in a corner has no spread, apart from rounding.
  const double precision =
      total_variance > 0.0 && spread > 0.0
          ? std::clamp(spread / total_variance - 1.0, kMinPrecision, kMaxPrecision)
          : kMaxPrecision;
  std::vector<double> alpha;
  for (const double m : mean) {
    alpha.push_back(std::max(precision * m, kMinAlpha));
  }
  return alpha;
}

}  // namespace dubito
