// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/beta_density.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "core/measures/deviance.h"
#include "core/measures/special_functions.h"

namespace dubito {

double betaLogDensity(double a, double b, double x) {
  if (!(a > 0.0) || !(b > 0.0) || std::isinf(a) || std::isinf(b) || !(x > 0.0) || !(x < 1.0)) {
    throw std::invalid_argument(
        "betaLogDensity: positive, finite a and b and 0 < x < 1 are needed");
  }
  // With log Gamma(z) = (z - 1/2) log z - z + log(2 pi)/2 + tail(z).
  const double sum = a + b;
  const double of_powers = deviance(a, sum * x) + deviance(b, sum * (1.0 - x));
  return 0.5 * std::log(a / (2.0 * std::numbers::pi) * (b / sum)) - of_powers - std::log(x) -
         std::log1p(-x) - stirlingTail(a) - stirlingTail(b) + stirlingTail(sum);
}

}  // namespace dubito
