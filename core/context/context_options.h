// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// Largest weight that a fit considers.
inline constexpr double kLargestContextWeight = 8.0;

/// How the objects of a scene influence each other (theory, section 10).
struct ContextOptions {
  /// Score of a pair of classes: "log" (logarithm of the smoothed joint frequency) or "pmi" (that
  /// minus the logarithms of the frequencies of both classes).
  std::string measure = "log";
  /// Factor w >= 0 of the scores. 0: no influence.
  double weight = 1.0;
  /// Added to every count.
  double smoothing = 1.0;
  /// Pairs of one class: "counted", "independent" (the table does not count them: score of two
  /// unrelated objects), or "auto" (independent if the table counts none at all).
  std::string same_class = "auto";
  /// Share of the old message kept in the first steps of loopy belief propagation; more is kept
  /// while the steps do not get smaller.
  double damping = 0.0;
  std::int64_t iterations = 1000;
  /// Belief propagation has converged if no logarithm of a message changes by more.
  double tolerance = 1e-10;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

}  // namespace dubito
