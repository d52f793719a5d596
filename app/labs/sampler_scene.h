// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/simplex_values.h"
#include "core/labs/sampling/sampler_lab.h"

namespace dubito {

/// A density of the sampler laboratory with all that does not depend on the chains. Immutable.
struct SamplerScene {
  std::string key;  ///< of samplerTargets()
  double correlation = 0.0;
  std::uint64_t seed = 0;
  SamplerTarget target;
  /// [rows, columns] ln of the density relative to its highest value, at the centres of cells over
  /// the shown range, the first row at the lowest y.
  Array<double> log_density;
  /// Contours of the regions with 50, 90 and 99 % of the probability.
  std::vector<DensityLevel> levels;
  Expected<DenseGaussian> laplace;
  Expected<MeanField> mean_field;  ///< by Bayes by Backprop with `seed`

  [[nodiscard]] bool isOf(const SamplerLabOptions& options, std::uint64_t seed) const;
};
using SamplerScenePtr = std::shared_ptr<const SamplerScene>;

/// kInvalidArgument if there is no density `options.density`; kCancelled if cancelled.
[[nodiscard]] Expected<SamplerScenePtr> makeSamplerScene(const SamplerLabOptions& options,
                                                         std::uint64_t seed, RunContext& context);

/// Contours of a density given as ln p on cells of equal size: the cells above a contour have at
/// least its share of the whole.
[[nodiscard]] std::vector<DensityLevel> levelsOf(const Array<double>& log_density,
                                                 const std::vector<double>& shares);

}  // namespace dubito
