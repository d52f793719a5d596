// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/plot_values.h"
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
  /// Contours of the regions with 50, 90 and 99 % of the probability, of which a part may lie
  /// outside of the shown range.
  std::vector<DensityLevel> levels;
  std::array<Curve, 2> marginals;  ///< marginalDensity() of both coordinates
  Expected<DenseGaussian> laplace;
  Expected<MeanField> mean_field;  ///< by Bayes by Backprop with `seed`

  [[nodiscard]] bool isOf(const SamplerLabOptions& options, std::uint64_t seed) const;
};
using SamplerScenePtr = std::shared_ptr<const SamplerScene>;

/// kInvalidArgument if there is no density `options.density`; kCancelled if cancelled.
[[nodiscard]] Expected<SamplerScenePtr> makeSamplerScene(const SamplerLabOptions& options,
                                                         std::uint64_t seed, RunContext& context);

}  // namespace dubito
