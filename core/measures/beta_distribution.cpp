// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/beta_distribution.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "core/measures/quiet_policy.h"
#include "core/measures/special_functions.h"

namespace dubito {
namespace {

// Above this, the limits are more accurate than the inverse of the incomplete Beta function.
constexpr double kLarge = 1e12;
constexpr double kBothLarge = 1e6;
// A power series equals its first term, up to rounding, if the second is below e^-37 of it.
constexpr double kFirstTermAlone = -37.0;

BetaQuantile mirrored(const BetaQuantile& quantile) {
  return {quantile.log_complement, quantile.log_x};
}

/// From a small ln x. The complement of x below the range of double is 1.
BetaQuantile fromLogX(double log_x) {
  return {log_x, std::log1p(-std::exp(log_x))};
}

/// log(a B(a, b)) for small a.
double logOfScaledBeta(double a, double b) {
  return boost::math::lgamma(a + 1.0, QuietPolicy()) +
         std::log(boost::math::tgamma_delta_ratio(b, a, QuietPolicy()));
}

/// x near 0: P(X <= x) = x^a / (a B(a, b)) (1 + a (1 - b) x / (a + 1) + ...).
std::optional<BetaQuantile> nearZero(double a, double b, double p) {
  constexpr double kLargest = 20.0;
  // With a larger b, B(a, b) may underflow; byGamma has its own form.
  if (a > kLargest || b > kLarge) {
    return std::nullopt;
  }
  const double log_x = (std::log(p) + logOfScaledBeta(a, b)) / a;
  if (!(log_x + std::log(std::max(1.0, b)) < kFirstTermAlone)) {
    return std::nullopt;
  }
  return fromLogX(log_x);
}

/// Both large: logit X has cumulants psi^(n)(a) + (-1)^(n+1) psi^(n)(b).
BetaQuantile byNormal(double a, double b, double p) {
  const double z = -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * p, QuietPolicy());
  const double mean = std::log(a / b) - 0.5 / a + 0.5 / b;
  const double variance = 1.0 / a + 1.0 / b + 0.5 / (a * a) + 0.5 / (b * b);
  const double third = 1.0 / (b * b) - 1.0 / (a * a);
  const double fourth = 2.0 / (a * a * a) + 2.0 / (b * b * b);
  const double deviation = std::sqrt(variance);
  const double logit =
      mean + z * deviation + third / variance * (z * z - 1.0) / 6.0 +
      fourth / (variance * deviation) * (z * z * z - 3.0 * z) / 24.0 -
      third * third / (variance * variance * deviation) * (2.0 * z * z * z - 5.0 * z) / 36.0;
  // log(1 / (1 + e^-logit)) without losing the digits of either side.
  const double smaller = -std::log1p(std::exp(-std::abs(logit)));
  const double larger = -std::abs(logit) + smaller;
  return logit > 0.0 ? BetaQuantile{smaller, larger} : BetaQuantile{larger, smaller};
}

/// b large compared with a: -(b + (a - 1)/2) ln(1 - X) is Gamma(a), up to (a/b)^2.
BetaQuantile byGamma(double a, double b, double p) {
  const double rate = b + 0.5 * (a - 1.0);
  // Near 0 the distribution function is t^a / Gamma(a + 1).
  double log_t = (std::log(p) + boost::math::lgamma(a + 1.0, QuietPolicy())) / a;
  if (!(log_t < kFirstTermAlone)) {
    log_t = std::log(boost::math::gamma_p_inv(a, p, QuietPolicy()));
  }
  // ln(1 - e^-s) = ln s - s/2 + ..., with s far below 1.
  const double s = std::exp(log_t) / rate;
  return {log_t - std::log(rate) + std::log1p(0.5 * -s + s * s / 6.0), -s};
}

/// The mirrored case, a large compared with b: 1 - X ~ Beta(b, a) at its upper p.
BetaQuantile byUpperGamma(double a, double b, double p) {
  const double rate = a + 0.5 * (b - 1.0);
  double log_t = (std::log1p(-p) + boost::math::lgamma(b + 1.0, QuietPolicy())) / b;
  if (!(log_t < kFirstTermAlone)) {
    log_t = std::log(boost::math::gamma_q_inv(b, p, QuietPolicy()));
  }
  const double s = std::exp(log_t) / rate;
  return {-s, log_t - std::log(rate) + std::log1p(0.5 * -s + s * s / 6.0)};
}

BetaQuantile byInverse(double a, double b, double p) {
  double complement = 0.0;
  const double x = boost::math::ibeta_inv(a, b, p, &complement, QuietPolicy());
  return {x < 0.5 ? std::log(x) : std::log1p(-complement),
          complement < 0.5 ? std::log(complement) : std::log1p(-x)};
}

}  // namespace

double betaLogDensity(double a, double b, double x) {
  if (!(a > 0.0) || !(b > 0.0) || std::isinf(a) || std::isinf(b) || !(x > 0.0) || !(x < 1.0)) {
    throw std::invalid_argument("betaLogDensity: needs positive, finite a and b and 0 < x < 1");
  }
  // With log Gamma(z) = (z - 1/2) log z - z + log(2 pi)/2 + tail(z).
  const double sum = a + b;
  const double of_powers = deviance(a, sum * x) + deviance(b, sum * (1.0 - x));
  return 0.5 * std::log(a / (2.0 * std::numbers::pi) * (b / sum)) - of_powers - std::log(x) -
         std::log1p(-x) - stirlingTail(a) - stirlingTail(b) + stirlingTail(sum);
}

double BetaQuantile::x() const {
  return log_x < -1.0 ? std::exp(log_x) : -std::expm1(log_complement);
}

bool operator>(const BetaQuantile& left, const BetaQuantile& right) {
  // Each logarithm is accurate in its own half.
  return left.log_x < -std::numbers::ln2 || right.log_x < -std::numbers::ln2
             ? left.log_x > right.log_x
             : left.log_complement < right.log_complement;
}

BetaQuantile betaQuantile(double a, double b, double p) {
  if (!(a > 0.0) || !(b > 0.0) || std::isinf(a) || std::isinf(b) || !(p > 0.0) || !(p < 1.0)) {
    throw std::invalid_argument("betaQuantile: needs positive, finite a and b and 0 < p < 1");
  }
  if (std::min(a, b) > kBothLarge) {
    return byNormal(a, b, p);
  }
  if (const auto near_zero = nearZero(a, b, p)) {
    return *near_zero;
  }
  if (const auto near_one = nearZero(b, a, 1.0 - p)) {
    return mirrored(*near_one);
  }
  if (b > kLarge) {
    return byGamma(a, b, p);
  }
  if (a > kLarge) {
    return byUpperGamma(a, b, p);
  }
  return byInverse(a, b, p);
}

}  // namespace dubito
