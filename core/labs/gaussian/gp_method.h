// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/labs/methods/regression_method.h"

namespace dubito {

/// Options of Gaussian process regression.
struct GpOptions {
  /// Text of the kernel; see parseKernel().
  std::string kernel = "1*se(1)";
  /// Whether the parameters of the kernel maximise the evidence, starting from those given.
  bool optimise = true;
  /// See parseNoiseRule().
  std::string noise = "auto";
  /// Starting points of the optimisation; the first is the kernel as given.
  std::int64_t starts = 6;
  /// Largest number of optimiser steps from one starting point.
  std::int64_t steps = 100;
  /// Largest number of points on which the evidence is maximised; of more, an even selection.
  std::int64_t evidence_points = 300;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Largest number of points of a Gaussian process: the kernel matrix takes 200 MB, its
/// factorisation some 10 s.
inline constexpr std::int64_t kMaxGpPoints = 5000;
/// kInvalidArgument, with the remedy, for more points.
[[nodiscard]] Status checkGpSize(std::int64_t points);

/// Gaussian process regression (key "gp"). Its units of work are the optimiser steps, and one unit
/// that conditions on all points. Until then it predicts from the points on which the evidence is
/// maximised, and before the first unit from the prior.
[[nodiscard]] RegressionMethodInfo gpMethod();

}  // namespace dubito
