// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/honesty.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

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

/// E[log(e^y1 + e^y2 + 1)].
double meanLogSumExp(const Plane& plane) {
  constexpr double kReach = 8.5;
  // The integrand bends over a logit; steps of a third of one, and of the Gaussian, resolve it.
  const double widest = std::max({plane.a + std::abs(plane.b), plane.c, 1.0});
  constexpr double kMostSteps = 300.0;
  const double steps = std::min(kMostSteps, std::ceil(3.0 * kReach * widest));
  const double h = kReach / steps;
  double sum = 0.0;
  double weights = 0.0;
  for (double i = -steps; i <= steps; ++i) {
    const double u = i * h;
    for (double j = -steps; j <= steps; ++j) {
      const double v = j * h;
      const double y1 = plane.mean[0] + plane.a * u;
      const double y2 = plane.mean[1] + plane.b * u + plane.c * v;
      const double top = std::max({y1, y2, 0.0});
      const double weight = std::exp(-0.5 * (u * u + v * v));
      sum += weight * (top + std::log(std::exp(y1 - top) + std::exp(y2 - top) + std::exp(-top)));
      weights += weight;
    }
  }
  return sum / weights;
}

}  // namespace

double largestDifference(std::span<const double> p, std::span<const double> q) {
  if (p.empty() || p.size() != q.size()) {
    throw std::invalid_argument("largestDifference: two rows over the same classes are needed");
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
        "densityDivergence: Gaussian and Dirichlet over three classes are needed");
  }
  constexpr double kLargestPrecision = 1e8;
  const std::optional<Plane> plane = planeOf(mean, covariance);
  double precision = 0.0;
  for (const double value : log_alpha) {
    precision += std::exp(value);
  }
  if (!plane || !(precision < kLargestPrecision)) {
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
