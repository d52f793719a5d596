// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/labs/sampling/log_density.h"

namespace dubito {

/// A Gaussian over few parameters.
struct DenseGaussian {
  std::vector<double> mean;        ///< [D]
  std::vector<double> covariance;  ///< [D, D] row-major
};

/// Laplace's approximation: the Gaussian at the mode that Newton's method reaches from `start` [D],
/// with the inverse of -d^2 ln p/dq^2 there as covariance. The second derivatives are central
/// differences of gradients. kInvalidArgument, with a sentence for the user, if no mode is found.
[[nodiscard]] Expected<DenseGaussian> laplaceGaussian(const LogDensity& density,
                                                      std::span<const double> start);

/// A density in two dimensions on which samplers can be watched.
struct SamplerTarget {
  std::shared_ptr<const LogDensity> density;
  /// Mean and covariance of the density.
  DenseGaussian moments;
  /// Whether `moments` are integrals over a grid rather than exact.
  bool is_integrated = false;
  /// ln of the integral of e^`density` over the plane; as exact as `moments`.
  double log_normaliser = 0.0;
  /// Range to draw, with nearly all of the probability.
  Interval shown_x;
  Interval shown_y;
  /// Where Laplace's approximation starts; [2].
  std::vector<double> near_mode;
  /// For each share of the probability, the value of ln p (as `density` gives it) above which the
  /// region of highest density with that share lies. Of the whole density, not of the shown range.
  std::function<std::vector<double>(std::span<const double> shares)> levels = {};
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

/// Integrals of a density in two dimensions.
struct DensityIntegrals {
  DenseGaussian moments;
  double log_normaliser = 0.0;  ///< ln of the integral of the density
};
/// The integrals by the midpoint rule on a grid of `cells` x `cells`.
[[nodiscard]] DensityIntegrals integratedDensity(const LogDensity& density, Interval x, Interval y,
                                                 int cells);

/// Marginal density of coordinate `axis`, 0 or 1, at `count` places over the shown range:
/// p(x) = int p(x, y) dy / e^log_normaliser, by the midpoint rule over the whole axis with
/// y = w sinh(t), whose cells are narrow where densities can be narrow. Relative error below 1e-3.
[[nodiscard]] Curve marginalDensity(const SamplerTarget& target, std::size_t axis,
                                    std::int64_t count);

/// ln p, as `density` gives it, at the centres of a grid [rows, columns] over the shown range, the
/// first row at the lowest y: for a picture of the density.
[[nodiscard]] Array<double> logDensityGrid(const SamplerTarget& target, std::int64_t rows,
                                           std::int64_t columns);

}  // namespace dubito
