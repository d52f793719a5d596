// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/special_functions.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>

#include "core/base/nan.h"
#include "core/measures/quiet_policy.h"

namespace dubito {
namespace {

// Above this the series below are exact up to rounding; below it the closed forms lose at most two
// digits.
constexpr double kSeriesFrom = 20.0;

/// ln x - psi(x) = 1/(2x) + 1/(12x^2) - 1/(120x^4) + 1/(252x^6) - 1/(240x^8) + 1/(132x^10).
double logMinusDigamma(double x) {
  const double inverse = 1.0 / x;
  const double squared = inverse * inverse;
  const double tail =
      squared *
      (1.0 / 12 -
       squared * (1.0 / 120 - squared * (1.0 / 252 - squared * (1.0 / 240 - squared / 132))));
  return 0.5 * inverse + tail;
}

/// -h'(x) = 1/x - psi'(x + 1).
double excessSlope(double x) {
  if (x <= kSeriesFrom) {
    return 1.0 / x - boost::math::trigamma(x + 1.0, QuietPolicy());
  }
  const double inverse = 1.0 / x;
  const double squared = inverse * inverse;
  return squared *
         (0.5 - inverse * (1.0 / 6 - squared * (1.0 / 30 - squared * (1.0 / 42 - squared / 30))));
}

double stirlingSeries(double x) {
  const double inverse = 1.0 / x;
  const double squared = inverse * inverse;
  return inverse *
         (1.0 / 12 -
          squared * (1.0 / 360 - squared * (1.0 / 1260 - squared * (1.0 / 1680 - squared / 1188))));
}

// The relative error of the midpoint rule is about (d/x)^2/12: below 1e-11 for steps d below this
// fraction of x.
constexpr double kSmallStep = 1e-5;

}  // namespace

double digamma(double x) {
  return x > 0.0 ? boost::math::digamma(x, QuietPolicy()) : kNaN;
}

double trigamma(double x) {
  return x > 0.0 ? boost::math::trigamma(x, QuietPolicy()) : kNaN;
}

double logGamma(double x) {
  return x > 0.0 ? boost::math::lgamma(x, QuietPolicy()) : kNaN;
}

double stirlingTail(double x) {
  if (x > kSeriesFrom) {
    return stirlingSeries(x);
  }
  return logGamma(x) - (x - 0.5) * std::log(x) + x - 0.5 * std::log(2.0 * std::numbers::pi);
}

double digammaDifference(double x, double d) {
  if (d < kSmallStep * x) {
    return d * trigamma(x + 0.5 * d);
  }
  return digamma(x + d) - digamma(x);
}

double digammaExcess(double x) {
  if (x > kSeriesFrom) {
    // psi(x + 1) = psi(x) + 1/x.
    return 1.0 / x - logMinusDigamma(x);
  }
  return digamma(x + 1.0) - std::log(x);
}

double digammaExcessDrop(double x, double d) {
  if (d < kSmallStep * x) {
    return d * excessSlope(x + 0.5 * d);
  }
  return digammaExcess(x) - digammaExcess(x + d);
}

double gammaEntropyTerm(double x) {
  if (x > kSeriesFrom) {
    return 0.5 * (std::log(x) + std::log(2.0 * std::numbers::pi)) + stirlingSeries(x) +
           (x - 1.0) * logMinusDigamma(x);
  }
  return logGamma(x) - (x - 1.0) * digamma(x) + x;
}

double deviance(double count, double expected) {
  const double t = (count - expected) / expected;
  constexpr double kClose = 0.5;
  if (std::abs(t) < kClose) {
    return expected * ((1.0 + t) * boost::math::log1pmx(t) + t * t);
  }
  return count * std::log(count / expected) + expected - count;
}

}  // namespace dubito
