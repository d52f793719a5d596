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

/// Direction of an axis.
std::array<double, 2> directionOf(const PlaneGaussian& plane, std::size_t axis) {
  const double angle = plane.angle + (axis == 0 ? 0.0 : 0.5 * std::numbers::pi);
  return {std::cos(angle), std::sin(angle)};
}

/// In (-pi/2, pi/2].
double axisAngle(double angle) {
  const double turned = std::remainder(angle, std::numbers::pi);
  return turned <= -0.5 * std::numbers::pi ? turned + std::numbers::pi : turned;
}

/// Covariance of the plane coordinates with the mean logit, and its variance.
struct Common {
  std::array<double, 2> with_plane{};
  double variance = 0.0;
};

Common commonOf(const LogitGaussian& gaussian) {
  const std::size_t classes = gaussian.mean.size();
  const auto count = static_cast<double>(classes);
  const CovarianceSums sums = sumsOfFull(gaussian.covariance);
  std::vector<double> with_mean = sums.row_sum;
  for (double& value : with_mean) {
    value /= count;
  }
  return {planePoint(with_mean), sums.total / (count * count)};
}

/// Largest share, up to 1, of the covariances with the mean logit that keeps the matrix positive
/// semi-definite.
double feasibleShare(const PlaneGaussian& plane, const Common& common) {
  double explained = 0.0;  // variance of the mean logit that the plane coordinates explain
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto direction = directionOf(plane, axis);
    const double along = direction[0] * common.with_plane[0] + direction[1] * common.with_plane[1];
    const double variance = plane.deviation[axis] * plane.deviation[axis];
    // A covariance that is 0 up to rounding explains nothing, even if the axis has no variance.
    if (along * along > 1e-24 * variance * common.variance) {
      if (!(variance > 0.0)) {
        return std::abs(along) > 1e-12 * std::sqrt(common.variance) ? 0.0 : 1.0;
      }
      explained += along * along / variance;
    }
  }
  return explained > common.variance ? std::sqrt(std::max(0.0, common.variance) / explained) : 1.0;
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

LogitGaussian zeroSumGaussian(const PlaneGaussian& plane, std::size_t classes) {
  const auto mean = logitsOfPlanePoint(plane.mean, classes);
  LogitGaussian gaussian{{mean.begin(), mean.begin() + static_cast<std::ptrdiff_t>(classes)},
                         std::vector<double>(classes * classes)};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto direction = directionOf(plane, axis);
    const auto column = logitsOfPlanePoint(
        {plane.deviation[axis] * direction[0], plane.deviation[axis] * direction[1]}, classes);
    for (std::size_t k = 0; k < classes; ++k) {
      for (std::size_t l = 0; l < classes; ++l) {
        gaussian.covariance[k * classes + l] += column[k] * column[l];
      }
    }
  }
  return gaussian;
}

LogitGaussian withPlane(const LogitGaussian& gaussian, const PlaneGaussian& plane) {
  const std::size_t classes = gaussian.mean.size();
  const Common common = commonOf(gaussian);
  const double share = feasibleShare(plane, common);
  const auto cross =
      logitsOfPlanePoint({share * common.with_plane[0], share * common.with_plane[1]}, classes);
  LogitGaussian result = zeroSumGaussian(plane, classes);
  double mean = 0.0;
  for (const double value : gaussian.mean) {
    mean += value / static_cast<double>(classes);
  }
  for (std::size_t k = 0; k < classes; ++k) {
    result.mean[k] += mean;
    for (std::size_t l = 0; l < classes; ++l) {
      result.covariance[k * classes + l] += common.variance + cross[k] + cross[l];
    }
  }
  return result;
}

std::array<double, 2> axisEnd(const PlaneGaussian& plane, std::size_t axis, double deviations) {
  const auto direction = directionOf(plane, axis);
  const double length = deviations * plane.deviation.at(axis);
  return {plane.mean[0] + length * direction[0], plane.mean[1] + length * direction[1]};
}

PlaneGaussian withAxisEnd(const PlaneGaussian& plane, std::size_t axis,
                          const std::array<double, 2>& point, double deviations) {
  constexpr double kMin = 1e-3;
  constexpr double kMax = 30.0;
  PlaneGaussian result = plane;
  const double x = point[0] - plane.mean[0];
  const double y = point[1] - plane.mean[1];
  const double length = std::hypot(x, y) / deviations;
  if (!std::isfinite(length)) {
    return plane;
  }
  result.deviation.at(axis) = std::clamp(length, kMin, kMax);
  if (length >= kMin) {
    result.angle = axisAngle(std::atan2(y, x) - (axis == 0 ? 0.0 : 0.5 * std::numbers::pi));
  }
  return result;
}

std::vector<Triple> ellipseOnTriangle(const PlaneGaussian& plane, double deviations,
                                      std::int64_t points) {
  if (points < 3) {
    throw std::invalid_argument("ellipseOnTriangle: needs three or more points");
  }
  const auto first = directionOf(plane, 0);
  const auto second = directionOf(plane, 1);
  std::vector<Triple> boundary;
  for (std::int64_t i = 0; i <= points; ++i) {
    const double turn =
        2.0 * std::numbers::pi * static_cast<double>(i % points) / static_cast<double>(points);
    const double u = deviations * plane.deviation[0] * std::cos(turn);
    const double v = deviations * plane.deviation[1] * std::sin(turn);
    boundary.push_back(probsOfPlanePoint({plane.mean[0] + u * first[0] + v * second[0],
                                          plane.mean[1] + u * first[1] + v * second[1]}));
  }
  return boundary;
}

Triple probsOfPlanePoint(const std::array<double, 2>& point) {
  Triple probs = logitsOfPlanePoint(point, 3);
  softmaxInPlace(probs);
  return probs;
}

std::array<double, 2> planePointOfProbs(const Triple& probs) {
  constexpr double kMin = 1e-12;
  std::array<double, 3> logits{};
  for (std::size_t k = 0; k < 3; ++k) {
    logits[k] = std::log(std::max(probs[k], kMin));
  }
  return planePoint(logits);
}

}  // namespace dubito
