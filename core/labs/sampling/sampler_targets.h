// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/base/plot_values.h"
#include "core/labs/sampling/laplace_gaussian.h"
#include "core/labs/sampling/log_density.h"

namespace dubito {

/// A density in two dimensions on which samplers can be watched.
struct SamplerTarget {
  std::shared_ptr<const LogDensity> density;
  /// Mean and covariance of the density.
  DenseGaussian moments;
  /// Whether `moments` are integrals over a grid rather than exact.
  bool is_integrated = false;
  /// Range to draw, with nearly all of the probability.
  Interval shown_x;
  Interval shown_y;
  /// Where Laplace's approximation starts; [2].
  std::vector<double> near_mode;
};

/// A density of the sampler laboratory, for lists.
struct SamplerTargetInfo {
  const char* key = nullptr;          ///< "banana"
  const char* name = nullptr;         ///< "Banana"
  const char* explanation = nullptr;  ///< one sentence
  const char* x_label = nullptr;
  const char* y_label = nullptr;
  /// `correlation` in (-1, 1) shapes "gaussian" and is ignored by the others.
  SamplerTarget (*make)(double correlation) = nullptr;
};

/// All densities, in the order of lists.
[[nodiscard]] const std::vector<SamplerTargetInfo>& samplerTargets();
/// nullptr if there is no such density.
[[nodiscard]] const SamplerTargetInfo* findSamplerTarget(std::string_view key);

/// Mean and covariance of a density in two dimensions by the midpoint rule on a grid of
/// `cells` x `cells`.
[[nodiscard]] DenseGaussian integratedMoments(const LogDensity& density, Interval x, Interval y,
                                              int cells);

/// Values of exp(ln p - max) at the centres of a grid [rows, columns] over the shown range, the
/// first row at the lowest y: for a picture of the density.
[[nodiscard]] Array<double> densityGrid(const SamplerTarget& target, std::int64_t rows,
                                        std::int64_t columns);

}  // namespace dubito
