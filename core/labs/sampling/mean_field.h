// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// A Gaussian over parameters with independent coordinates.
struct MeanField {
  std::vector<double> mean;  ///< [D]
  std::vector<double> std;   ///< [D], each > 0
};

/// Options of variational inference with a MeanField by stochastic gradients.
struct MeanFieldOptions {
  /// Gradient steps, >= 1.
  std::int64_t steps = 2000;
  /// Draws of the parameters per step, >= 1.
  std::int64_t draws = 4;
  /// First learning rate of Adam, > 0; falls to 0 over the steps.
  double learning_rate = 0.02;
  /// Standard deviation to begin with, relative to the prior or the scale of the problem; > 0.
  double initial_std = 0.1;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// mean + std * noise for draw `s` of `noise` [S, D], row-major, into `weights` [D].
void drawOf(std::span<const double> mean, std::span<const double> std,
            std::span<const double> noise, std::int64_t s, std::span<double> weights);

}  // namespace dubito
