// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Points in one dimension, in the units of the data.
struct RegressionPoints {
  std::vector<double> x;
  std::vector<double> y;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(x.size()); }
  void add(double at_x, double at_y) {
    x.push_back(at_x);
    y.push_back(at_y);
  }
  /// Adds point `index` of `points`.
  void addFrom(const RegressionPoints& points, std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    add(points.x[i], points.y[i]);
  }
  /// `index` is in [0, size()).
  void move(std::int64_t index, double to_x, double to_y) {
    x[static_cast<std::size_t>(index)] = to_x;
    y[static_cast<std::size_t>(index)] = to_y;
  }
  void erase(std::int64_t index) {
    x.erase(x.begin() + index);
    y.erase(y.begin() + index);
  }
};

/// Data of the regression laboratory: points to learn from, points to test on, and the truth if the
/// data are made.
struct RegressionData {
  std::string name;
  std::string x_label = "x";
  std::string y_label = "y";
  RegressionPoints train;
  /// Points from the same source that no method sees. Empty: methods are tested on `train`, and
  /// every figure states so.
  RegressionPoints test;
  /// The function behind the data; empty if unknown.
  std::function<double(double)> truth;
  /// Standard deviation of the noise if it is known and constant.
  std::optional<double> noise_std;
  /// Range of inputs to draw, beyond the data on both sides.
  Interval shown;
  /// Range of y in which fewer than kMinLabPoints points are drawn; absent: kUsualHeight.
  std::optional<Interval> shown_y = {};
  /// What was left out and why ("3 rows without a number"), one sentence per item.
  std::vector<std::string> notes;
};

/// Fewest points that a laboratory accepts: a spread needs two.
inline constexpr std::int64_t kMinLabPoints = 2;
/// Largest number of points that a laboratory accepts; of larger files, an even selection is used.
inline constexpr std::int64_t kMaxLabPoints = 10000;

/// Three standard deviations of a function that is scaled, on both sides.
inline constexpr Interval kUsualHeight{-3.0, 3.0};

/// Checks points of any origin. kInvalidArgument, naming `data.name` and the remedy, for fewer than
/// `min_points` points, numbers that are not finite, inputs that are all equal, and no points
/// without a range to draw.
[[nodiscard]] Status checkRegressionData(const RegressionData& data,
                                         std::int64_t min_points = kMinLabPoints);

/// The range of x, and a quarter of it on both sides, or 1 if it has no extent; of no points,
/// [-5, 5].
[[nodiscard]] Interval shownAround(const RegressionPoints& points);

/// A linear map of points to zero mean and unit standard deviation, and back.
struct Standardisation {
  double x_mean = 0.0;
  double x_std = 1.0;
  double y_mean = 0.0;
  double y_std = 1.0;

  /// Of `points`. A spread of 0 counts as 1.
  [[nodiscard]] static Standardisation of(const RegressionPoints& points);
  [[nodiscard]] double scaledX(double x) const { return (x - x_mean) / x_std; }
  [[nodiscard]] double scaledY(double y) const { return (y - y_mean) / y_std; }
  [[nodiscard]] double unscaledY(double y) const { return y_mean + y_std * y; }
};

/// That of the points of `data`; if they are too few for a spread, that of inputs all over the
/// range shown, and of functions within three standard deviations of the middle of shown_y.
[[nodiscard]] Standardisation scaleOf(const RegressionData& data);

/// Estimates the standard deviation of the noise from the distance of each point to the line
/// through its neighbours, after sorting by x (Gasser, Sroka, Jennen-Steinmetz 1986). Unbiased for
/// the variance where the function is linear between neighbours; too large where it bends. At least
/// 1e-3 of the standard deviation of y (or 1e-3 if that is 0), because a method needs some noise;
/// with fewer than three points, a tenth of it.
[[nodiscard]] double estimateNoiseStd(const RegressionPoints& points);
/// The same of the points of `data`; if they are too few for a spread, a tenth of that of
/// scaleOf().
[[nodiscard]] double estimatedNoiseOf(const RegressionData& data);

}  // namespace dubito
