// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/deviance.h"

#include <boost/math/special_functions/log1p.hpp>
#include <cmath>

namespace dubito {

double deviance(double count, double expected) {
  const double t = (count - expected) / expected;
  constexpr double kClose = 0.5;
  if (std::abs(t) < kClose) {
    return expected * ((1.0 + t) * boost::math::log1pmx(t) + t * t);
  }
  return count * std::log(count / expected) + expected - count;
}

}  // namespace dubito
