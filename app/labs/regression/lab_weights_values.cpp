// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/regression/lab_weights_values.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/labs/lab_values.h"

namespace dubito {
namespace {

constexpr std::int64_t kCells = 120;
/// Range shown, in standard deviations of the prior.
constexpr double kPriorWidths = 3.0;
constexpr double kShares[] = {0.5, 0.9, 0.99};

Interval rangeOf(double prior_variance) {
  const double half = kPriorWidths * std::sqrt(prior_variance);
  return {-half, half};
}

double centre(Interval range, std::int64_t cell) {
  return range.low +
         (range.high - range.low) * (static_cast<double>(cell) + 0.5) / static_cast<double>(kCells);
}

/// ln of the density relative to that at the mean.
double relativeLog(const WeightPlane& plane, double x, double y) {
  const auto& [xx, xy, yx, yy] = plane.covariance;
  const double dx = x - plane.mean[0];
  const double dy = y - plane.mean[1];
  return -0.5 * (yy * dx * dx - (xy + yx) * dx * dy + xx * dy * dy) / (xx * yy - xy * yx);
}

}  // namespace

DensityPathValue weightPlaneValue(const WeightPlane& plane) {
  auto density = std::make_shared<PlaneDensity>();
  density->x_range = rangeOf(plane.prior_covariance[0]);
  density->y_range = rangeOf(plane.prior_covariance[3]);
  density->x_label = labText("w0");
  density->y_label = labText("w1");
  density->log_density = Array<double>::zeros({kCells, kCells});
  for (std::int64_t row = 0; row < kCells; ++row) {
    for (std::int64_t column = 0; column < kCells; ++column) {
      density->log_density.mutableRow(row)[static_cast<std::size_t>(column)] =
          relativeLog(plane, centre(density->x_range, column), centre(density->y_range, row));
    }
  }
  for (const double share : kShares) {
    density->levels.push_back({share, std::log1p(-share)});  // r^2 / 2 is exponential
  }
  DensityPathValue value;
  value.gaussians.push_back({labText("Prior"), {0.0, 0.0}, plane.prior_covariance, 0});
  value.density = std::move(density);
  for (std::int64_t draw = 0; draw < plane.draws.extent(0); ++draw) {
    value.points.emplace_back(plane.draws.row(draw)[0], plane.draws.row(draw)[1]);
  }
  return value;
}

}  // namespace dubito
