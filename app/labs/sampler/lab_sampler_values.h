// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "app/labs/sampler/lab_sampler.h"
#include "widgets/density_path_plot.h"
#include "widgets/item_view_values.h"

namespace dubito {

[[nodiscard]] std::shared_ptr<const PlaneDensity> planeDensityOf(const SamplerScene& scene);

/// The Gaussians to compare with: Laplace's and that of Bayes by Backprop, as far as wanted and
/// found.
[[nodiscard]] std::vector<DrawnGaussian> gaussiansOf(const SamplerScene& scene, bool laplace,
                                                     bool mean_field);

/// The states of all chains inside the shown range, and the last path of the first chain, which
/// runs `sampler`.
[[nodiscard]] DensityPathValue densityPathOf(const SamplerPicture& picture,
                                             const LabSamplerInfo& sampler,
                                             std::shared_ptr<const PlaneDensity> density,
                                             std::vector<DrawnGaussian> gaussians);
/// "HMC · 4 chains · transition 500 · 1 200 states · 12 outside the picture"; requires a picture.
[[nodiscard]] QString samplerCaption(const SamplerRunner& runner);

/// Acceptance, R-hat, effective sample size, divergences, leapfrog steps if there are any, and the
/// moments next to the exact ones.
[[nodiscard]] std::vector<KeyValue> samplerNumbers(const SamplerPicture& picture,
                                                   const SamplerScene& scene);

/// What a reader must know before believing the picture, in plain sentences.
[[nodiscard]] QString samplerNotes(const SamplerRunner& runner);

}  // namespace dubito
