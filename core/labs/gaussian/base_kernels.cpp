// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/base_kernels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dubito {
namespace {

/// exp(-d^2 / (2 l^2)) with d = x - z.
double squaredExponential(const double* p, double x, double z, double* gradient) {
  const double r = (x - z) / p[0];
  const double k = std::exp(-0.5 * r * r);
  if (gradient != nullptr) {
    gradient[0] = k * r * r;
  }
  return k;
}

/// exp(-|d| / l).
double matern12(const double* p, double x, double z, double* gradient) {
  const double r = std::abs(x - z) / p[0];
  const double k = std::exp(-r);
  if (gradient != nullptr) {
    gradient[0] = k * r;
  }
  return k;
}

/// (1 + s) exp(-s) with s = sqrt(3) |d| / l.
double matern32(const double* p, double x, double z, double* gradient) {
  const double s = std::numbers::sqrt3 * std::abs(x - z) / p[0];
  const double decay = std::exp(-s);
  if (gradient != nullptr) {
    gradient[0] = s * s * decay;
  }
  return (1.0 + s) * decay;
}

/// (1 + s + s^2 / 3) exp(-s) with s = sqrt(5) |d| / l.
double matern52(const double* p, double x, double z, double* gradient) {
  const double s = std::sqrt(5.0) * std::abs(x - z) / p[0];
  const double decay = std::exp(-s);
  if (gradient != nullptr) {
    gradient[0] = s * s * (1.0 + s) * decay / 3.0;
  }
  return (1.0 + s + s * s / 3.0) * decay;
}

/// (1 + d^2 / (2 alpha l^2))^-alpha.
double rationalQuadratic(const double* p, double x, double z, double* gradient) {
  const double alpha = p[0];
  const double r = (x - z) / p[1];
  const double excess = 0.5 * r * r / alpha;
  const double log_base = std::log1p(excess);
  const double k = std::exp(-alpha * log_base);
  if (gradient != nullptr) {
    const double base = 1.0 + excess;
    gradient[0] = alpha * k * (excess / base - log_base);
    gradient[1] = k * r * r / base;
  }
  return k;
}

/// exp(-2 sin^2(pi d / period) / l^2).
double periodic(const double* p, double x, double z, double* gradient) {
  const double angle = std::numbers::pi * (x - z) / p[1];
  const double sine = std::sin(angle) / p[0];
  const double k = std::exp(-2.0 * sine * sine);
  if (gradient != nullptr) {
    gradient[0] = 4.0 * k * sine * sine;
    gradient[1] = 4.0 * k * angle * sine * std::cos(angle) / p[0];
  }
  return k;
}

/// sigma_0^2 + x z.
double linear(const double* p, double x, double z, double* gradient) {
  const double offset = p[0] * p[0];
  if (gradient != nullptr) {
    gradient[0] = 2.0 * offset;
  }
  return offset + x * z;
}

}  // namespace

std::span<const BaseKernel> baseKernels() {
  static const std::vector<BaseKernel> kernels = {
      {"se", "squared exponential", {"length_scale"}, squaredExponential},
      {"matern12", "Matern 1/2", {"length_scale"}, matern12},
      {"matern32", "Matern 3/2", {"length_scale"}, matern32},
      {"matern52", "Matern 5/2", {"length_scale"}, matern52},
      {"rq", "rational quadratic", {"alpha", "length_scale"}, rationalQuadratic},
      {"periodic", "periodic", {"length_scale", "period"}, periodic},
      {"linear", "linear", {"sigma_0"}, linear},
  };
  return kernels;
}

const BaseKernel* findBaseKernel(std::string_view key) {
  const auto kernels = baseKernels();
  const auto found = std::ranges::find(kernels, key, &BaseKernel::key);
  return found == kernels.end() ? nullptr : &*found;
}

}  // namespace dubito
