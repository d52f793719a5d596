// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Largest number of classes of the classification laboratory.
inline constexpr std::int64_t kMaxLabClasses = 8;
/// Half the side of the square in which presets lie, and in which points are drawn: [-6, 6]^2.
inline constexpr double kClassHalfWidth = 6.0;

/// Points in two dimensions with a class each.
struct ClassPoints {
  std::vector<double> x1;
  std::vector<double> x2;
  std::vector<std::int64_t> classes;  ///< >= 0

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(x1.size()); }
  void add(double first, double second, std::int64_t class_of_point) {
    x1.push_back(first);
    x2.push_back(second);
    classes.push_back(class_of_point);
  }
  /// Adds point `index` of `points`.
  void addFrom(const ClassPoints& points, std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    add(points.x1[i], points.x2[i], points.classes[i]);
  }
  /// `index` is in [0, size()).
  void move(std::int64_t index, double to_x1, double to_x2) {
    x1[static_cast<std::size_t>(index)] = to_x1;
    x2[static_cast<std::size_t>(index)] = to_x2;
  }
  void erase(std::int64_t index) {
    x1.erase(x1.begin() + index);
    x2.erase(x2.begin() + index);
    classes.erase(classes.begin() + index);
  }
};

/// Data of the classification laboratory, in the units of their source.
struct ClassData {
  std::string name;
  std::string x1_label = "x1";
  std::string x2_label = "x2";
  std::vector<std::string> class_names;  ///< [K]
  ClassPoints train;
  /// Points from the same source that no method sees. Empty: methods are tested on `train`, and
  /// every figure states so.
  ClassPoints test;
  /// The square that is shown at zoom 1; methods see it as [-6, 6]^2.
  Interval shown_x1{-kClassHalfWidth, kClassHalfWidth};
  Interval shown_x2{-kClassHalfWidth, kClassHalfWidth};
  /// What was left out and why, one sentence per item.
  std::vector<std::string> notes;

  [[nodiscard]] std::int64_t classes() const {
    return static_cast<std::int64_t>(class_names.size());
  }
};

/// Checks points of any origin. kInvalidArgument, naming `data.name` and the remedy, for points
/// that are not finite, no or only one class, more than kMaxLabClasses classes, and a class without
/// points.
[[nodiscard]] Status checkClassData(const ClassData& data);

/// "0", "1", ...: names for `count` classes that have none.
[[nodiscard]] std::vector<std::string> numberedClasses(std::int64_t count);

/// A square around `points`, half as wide again as they are: into `data.shown_x1` and
/// `data.shown_x2`. `data.train` must not be empty.
void showAround(ClassData& data);

}  // namespace dubito
