// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/regression_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dubito {
namespace {

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

bool allFinite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

Status checkRegressionData(const RegressionData& data) {
  const RegressionPoints& points = data.train;
  if (points.size() < kMinLabPoints) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} {}; add points until there are at least {}", data.name,
                            points.size(), points.size() == 1 ? "point" : "points", kMinLabPoints));
  }
  if (!allFinite(points.x) || !allFinite(points.y) || !allFinite(data.test.x) ||
      !allFinite(data.test.y)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: some numbers are not finite; remove these points", data.name));
  }
  const auto [low, high] = std::ranges::minmax_element(points.x);
  if (*low == *high) {
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
  const double margin = 0.25 * (*high - *low);
  return {*low - margin, *high + margin};
}

Standardisation Standardisation::of(const RegressionPoints& points) {
  const Spread x = spreadOf(points.x);
  const Spread y = spreadOf(points.y);
  return {x.mean, x.std, y.mean, y.std};
}

}  // namespace dubito
