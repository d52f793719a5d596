// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/regression_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/all_finite.h"

namespace dubito {
namespace {

constexpr double kMinNoiseShare = 1e-3;
constexpr double kNoiseShareOfFewPoints = 0.1;

struct Spread {
  double mean = 0.0;
  double std = 1.0;
};

Spread spreadOf(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  const double std = std::sqrt(squares / n);
  return {mean, std > 0.0 ? std : 1.0};
}

}  // namespace

Status checkRegressionData(const RegressionData& data, std::int64_t min_points) {
  const RegressionPoints& points = data.train;
  const bool has_range = points.size() > 0 || data.shown.low < data.shown.high;
  if (points.size() < min_points || !has_range) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} {}; add points until there are at least {}", data.name,
                            points.size(), points.size() == 1 ? "point" : "points",
                            std::max(min_points, std::int64_t{1})));
  }
  if (!allFinite(points.x) || !allFinite(points.y) || !allFinite(data.test.x) ||
      !allFinite(data.test.y)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: some numbers are not finite; remove these points", data.name));
  }
  if (points.size() > 1 && std::ranges::min(points.x) == std::ranges::max(points.x)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: all points have the same x; add points with other values of x",
                            data.name));
  }
  return {};
}

Interval shownAround(const RegressionPoints& points) {
  if (points.x.empty()) {
    return {-5.0, 5.0};
  }
  const auto [low, high] = std::ranges::minmax_element(points.x);
  const double margin = *high > *low ? 0.25 * (*high - *low) : 1.0;
  return {*low - margin, *high + margin};
}

Standardisation Standardisation::of(const RegressionPoints& points) {
  const Spread x = spreadOf(points.x);
  const Spread y = spreadOf(points.y);
  return {x.mean, x.std, y.mean, y.std};
}

Standardisation scaleOf(const RegressionData& data) {
  if (data.train.size() >= kMinLabPoints) {
    return Standardisation::of(data.train);
  }
  const Interval y = data.shown_y.value_or(kUsualHeight);
  const auto middle = [](Interval range) { return 0.5 * (range.low + range.high); };
  const auto width = [](Interval range) { return range.high - range.low; };
  return {middle(data.shown), width(data.shown) / std::sqrt(12.0), middle(y),
          width(y) / width(kUsualHeight)};
}

double estimatedNoiseOf(const RegressionData& data) {
  return data.train.size() >= kMinLabPoints ? estimateNoiseStd(data.train)
                                            : kNoiseShareOfFewPoints * scaleOf(data).y_std;
}

double estimateNoiseStd(const RegressionPoints& points) {
  const double spread = Standardisation::of(points).y_std;
  const std::size_t n = points.x.size();
  if (n < 3) {
    return kNoiseShareOfFewPoints * spread;
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
  return std::max(std::sqrt(sum / static_cast<double>(n - 2)), kMinNoiseShare * spread);
}

}  // namespace dubito
