// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/honesty.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "core/measures/special_functions.h"

namespace dubito {
namespace {

/// A Gaussian over (z_1 - z_3, z_2 - z_3).
struct Plane {
  std::array<double, 2> mean{};
  // Cholesky factor of the covariance: (a, 0; b, c).
  double a = 0.0;
  double b = 0.0;
  double c = 0.0;
};

std::optional<Plane> planeOf(std::span<const double> mean, std::span<const double> covariance) {
  const auto of = [&](std::size_t k, std::size_t l) {
    return covariance[k * 3 + l] - covariance[k * 3 + 2] - covariance[6 + l] + covariance[8];
  };
  constexpr double kSingular = 1e-12;
  const double trace = of(0, 0) + of(1, 1);
  const double determinant = of(0, 0) * of(1, 1) - of(0, 1) * of(0, 1);
  if (!(of(0, 0) > 0.0) || !(determinant > kSingular * trace * trace) || !std::isfinite(trace)) {
    return std::nullopt;
  }
  Plane plane{{mean[0] - mean[2], mean[1] - mean[2]}};
  plane.a = std::sqrt(of(0, 0));
  plane.b = of(0, 1) / plane.a;
  plane.c = std::sqrt(determinant) / plane.a;
  return plane;
}

/// Range of the trapezoidal rule around the mean, in standard deviations; beyond it lies e^-28 of
/// the total.
constexpr double kReach = 7.5;

/// Steps of the trapezoidal rule for the mean of f(u), u ~ N(0, 1), where f is analytic up to a
/// distance a from the real line: the error is about exp(a^2 / 2 - 2 pi a / h), or exp(-2 pi^2 /
/// h^2) if a > 2 pi / h. The nearest singularity of the logarithm of a sum of exponentials is where
/// their phases differ by pi: a = pi / spread, if the slopes of the exponents in u differ by up to
/// `spread`.
double stepFor(double spread) {
  constexpr double kPi = std::numbers::pi;
  constexpr double kDigits = 25.0;  // e^-25 = 1e-11
  constexpr double kMinStep = kReach / 150.0;
  const double max_step = kPi * std::sqrt(2.0 / kDigits);
  const double a = kPi / spread;
  const double step =
      a >= 2.0 * kPi / max_step ? max_step : 2.0 * kPi * a / (kDigits + 0.5 * a * a);
  return std::max(step, kMinStep);
}

/// log(1 + e^t).
double softplus(double t) {
  return std::max(t, 0.0) + std::log1p(std::exp(-std::abs(t)));
}

/// E[log(e^y1 + e^y2 + 1)], over the disc of radius kReach in the whitened plane.
double meanLogSumExp(const Plane& plane) {
  const double step_u = stepFor(std::max({plane.a, plane.b, 0.0}) - std::min(plane.b, 0.0));
  const double step_v = stepFor(plane.c);
  const auto reach_u = static_cast<std::int64_t>(kReach / step_u);
  std::vector<double> weight_of_v;
  for (double v = 0.0; v <= kReach; v += step_v) {
    weight_of_v.push_back(std::exp(-0.5 * v * v));
  }
  double sum = 0.0;
  double weights = 0.0;
  for (std::int64_t i = -reach_u; i <= reach_u; ++i) {
    const double u = static_cast<double>(i) * step_u;
    // log(e^y1 + 1) does not depend on v.
    const double others = softplus(plane.mean[0] + plane.a * u);
    const double above = plane.mean[1] + plane.b * u - others;
    double along = softplus(above);
    double weights_along = 1.0;
    const double reach_v = std::sqrt(std::max(0.0, kReach * kReach - u * u));
    for (std::size_t j = 1; j < weight_of_v.size(); ++j) {
      const double v = static_cast<double>(j) * step_v;
      if (v > reach_v) {
        break;
      }
      along += weight_of_v[j] * (softplus(above + plane.c * v) + softplus(above - plane.c * v));
      weights_along += 2.0 * weight_of_v[j];
    }
    const double weight = std::exp(-0.5 * u * u);
    sum += weight * (along + weights_along * others);
    weights += weight * weights_along;
  }
  return sum / weights;
}

}  // namespace

double largestDifference(std::span<const double> p, std::span<const double> q) {
  if (p.empty() || p.size() != q.size()) {
    throw std::invalid_argument("largestDifference: needs two rows over the same classes");
  }
  double largest = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double difference = std::abs(p[k] - q[k]);
    if (std::isnan(difference)) {
      return difference;
    }
    largest = std::max(largest, difference);
  }
  return largest;
}

std::optional<double> densityDivergence(std::span<const double> mean,
                                        std::span<const double> covariance,
                                        std::span<const double> log_alpha) {
  if (mean.size() != 3 || covariance.size() != 9 || log_alpha.size() != 3) {
    throw std::invalid_argument(
        "densityDivergence: needs a Gaussian and a Dirichlet over three classes");
  }
  constexpr double kMaxPrecision = 1e8;
  const std::optional<Plane> plane = planeOf(mean, covariance);
  double precision = 0.0;
  for (const double value : log_alpha) {
    precision += std::exp(value);
  }
  if (!plane || !(precision < kMaxPrecision)) {
    return std::nullopt;
  }
  const double log_sum = meanLogSumExp(*plane);
  const std::array<double, 3> mean_log_prob{plane->mean[0] - log_sum, plane->mean[1] - log_sum,
                                            -log_sum};
  double divergence =
      -1.0 - std::log(2.0 * std::numbers::pi) - std::log(plane->a * plane->c) - logGamma(precision);
  for (std::size_t k = 0; k < 3; ++k) {
    const double alpha = std::exp(log_alpha[k]);
    divergence += logGamma(alpha) - alpha * mean_log_prob[k];
  }
  if (!std::isfinite(divergence)) {
    return std::nullopt;
  }
  return std::max(0.0, divergence);
}

}  // namespace dubito
