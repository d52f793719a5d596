// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/probit.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "core/measures/measures.h"

namespace dubito {
namespace {

/// The factor by which the variance of a logit lowers it: 1 / sqrt(1 + pi/8 variance).
double shrink(double variance) {
  return 1.0 / std::sqrt(1.0 + std::numbers::pi / 8.0 * variance);
}

}  // namespace

std::vector<double> probit(std::span<const double> mean, std::span<const double> variance) {
  if (mean.size() != variance.size()) {
    throw std::invalid_argument("probit: needs as many variances as means");
  }
  std::vector<double> logits(mean.begin(), mean.end());
  for (std::size_t k = 0; k < logits.size(); ++k) {
    logits[k] *= shrink(variance[k]);
  }
  return softmax(std::span<const double>(logits));
}

std::array<double, 2> probitOfTwoClasses(double gap, double variance) {
  const double logit = gap * shrink(variance);
  return {1.0 / (1.0 + std::exp(-logit)), 1.0 / (1.0 + std::exp(logit))};
}

}  // namespace dubito
