// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/labs/methods/regression_method.h"

namespace dubito {

/// Options of Bayesian linear regression.
struct BlrOptions {
  /// See FeatureBasis: "powers", "polynomial", "radial" or "fourier".
  std::string basis = "polynomial";
  /// Degree, number of centres or number of frequencies.
  std::int64_t size = 8;
  /// Standard deviation of the weights a priori; nullopt: maximise the evidence.
  std::optional<double> prior_std = std::nullopt;
  /// See parseNoiseRule().
  std::string noise = "auto";
  /// Largest number of optimiser steps.
  std::int64_t steps = 50;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Bayesian linear regression (key "blr"). If prior or noise are fitted, its units of work are the
/// optimiser steps, otherwise it has one unit. Before the first unit it predicts from the prior.
[[nodiscard]] RegressionMethodInfo blrMethod();

}  // namespace dubito
