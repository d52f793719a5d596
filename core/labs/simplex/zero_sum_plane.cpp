// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/zero_sum_plane.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace dubito {
namespace {

using Basis = std::array<std::array<double, 3>, 2>;

const Basis& basisOf(std::size_t classes) {
  constexpr double kHalf = 1.0 / std::numbers::sqrt2;
  constexpr double kSixth = kHalf * std::numbers::inv_sqrt3;
  static constexpr Basis kLine{{{-kHalf, kHalf, 0.0}, {0.0, 0.0, 0.0}}};
  static constexpr Basis kPlane{{{-kHalf, kHalf, 0.0}, {-kSixth, -kSixth, 2.0 * kSixth}}};
  if (classes != 2 && classes != 3) {
    throw std::invalid_argument("the zero-sum plane needs 2 or 3 logits");
  }
  return classes == 2 ? kLine : kPlane;
}

}  // namespace

std::array<double, 3> PlaneGaussian::covariance() const {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double first = deviation[0] * deviation[0];
  const double second = deviation[1] * deviation[1];
  return {first * c * c + second * s * s, (first - second) * c * s, first * s * s + second * c * c};
}

PlaneGaussian planeGaussian(const LogitGaussian& gaussian) {
  const std::size_t classes = gaussian.mean.size();
  const Basis& basis = basisOf(classes);
  PlaneGaussian plane;
  plane.mean = planePoint(gaussian.mean);
  std::array<double, 4> covariance{};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      for (std::size_t k = 0; k < classes; ++k) {
        for (std::size_t l = 0; l < classes; ++l) {
          covariance[2 * i + j] += basis[i][k] * basis[j][l] * gaussian.covariance[k * classes + l];
        }
      }
    }
  }
  const double middle = 0.5 * (covariance[0] + covariance[3]);
  const double half = 0.5 * (covariance[0] - covariance[3]);
  const double radius = std::hypot(half, covariance[1]);
  plane.deviation = {std::sqrt(std::max(0.0, middle + radius)),
                     std::sqrt(std::max(0.0, middle - radius))};
  // The smaller eigenvalue is a difference of the two sums, with their rounding error.
  constexpr double kRounding = 1e-15;
  if (!(middle - radius > kRounding * middle)) {
    plane.deviation[1] = 0.0;
  }
  plane.angle = radius > 0.0 ? 0.5 * std::atan2(covariance[1], half) : 0.0;
  return plane;
}

std::array<double, 2> planePoint(std::span<const double> logits) {
  const Basis& basis = basisOf(logits.size());
  std::array<double, 2> point{};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < logits.size(); ++k) {
      point[i] += basis[i][k] * logits[k];
    }
  }
  return point;
}

std::array<double, 3> logitsOfPlanePoint(const std::array<double, 2>& point, std::size_t classes) {
  const Basis& basis = basisOf(classes);
  std::array<double, 3> logits{};
  for (std::size_t k = 0; k < classes; ++k) {
    logits[k] = basis[0][k] * point[0] + basis[1][k] * point[1];
  }
  return logits;
}

}  // namespace dubito
