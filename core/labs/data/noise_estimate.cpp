// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/noise_estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dubito {
namespace {

constexpr double kLeastShare = 1e-3;
constexpr double kShareOfFewPoints = 0.1;

}  // namespace

double estimateNoiseStd(const RegressionPoints& points) {
  const double spread = Standardisation::of(points).y_std;
  const std::size_t n = points.x.size();
  if (n < 3) {
    return kShareOfFewPoints * spread;
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return points.x[i]; });
  double sum = 0.0;
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double left = points.x[order[i - 1]];
    const double right = points.x[order[i + 1]];
    // Points at the same place count equally.
    const double to_right = right > left ? (points.x[order[i]] - left) / (right - left) : 0.5;
    const double to_left = 1.0 - to_right;
    const double residual =
        to_left * points.y[order[i - 1]] + to_right * points.y[order[i + 1]] - points.y[order[i]];
    sum += residual * residual / (to_left * to_left + to_right * to_right + 1.0);
  }
  return std::max(std::sqrt(sum / static_cast<double>(n - 2)), kLeastShare * spread);
}

}  // namespace dubito
