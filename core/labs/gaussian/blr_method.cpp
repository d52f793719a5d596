// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/blr_method.h"

#include <algorithm>
#include <memory>

#include "core/labs/gaussian/blr_learner.h"
#include "core/labs/gaussian/noise_rule.h"

namespace dubito {
namespace {

class BlrMethod final : public MethodWithOptions<RegressionMethod, BlrOptions> {
 public:
  [[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> start(
      const RegressionProblem& problem, std::uint64_t seed) const override {
    return startBlr(options(), problem, seed);
  }
};

}  // namespace

std::vector<Field> BlrOptions::fields() {
  return {
      {{.name = "basis",
        .label = "Basis",
        .help = "functions that are summed: polynomial (Legendre, scaled to the points), radial "
                "(Gaussian bumps), fourier (cosines and sines) or powers (1, x, x^2, ...)",
        .choices = {"polynomial", "radial", "fourier", "powers"}},
       &basis},
      {{.name = "size",
        .label = "Size",
        .help = "degree of the polynomial, number of bumps or number of frequencies",
        .min = 1,
        .max = 100},
       &size},
      {{.name = "prior_std",
        .label = "Prior",
        .help = "standard deviation of the weights before any data; by default it maximises "
                "the evidence",
        .min = 1e-6,
        .max = 1e6},
       &prior_std},
      {noiseFieldInfo(), &noise},
      {{.name = "steps",
        .label = "Steps",
        .help = "largest number of optimiser steps",
        .min = 1,
        .max = 500,
        .unmet_requirement =
            allUnless(!prior_std || noise == "auto", {setting("noise_from", "auto")}),
        .advanced = true},
       &steps}};
}

Status BlrOptions::check() const {
  BlrOptions copy = *this;
  if (Status checked = checkFields(copy.fields()); !checked) {
    return checked;
  }
  const auto rule = parseNoiseRule(noise);
  return rule ? Status() : Status(failWith(rule));
}

RegressionMethodInfo blrMethod() {
  return {
      .key = "blr",
      .name = "Bayesian linear regression",
      .explanation =
          "A sum of fixed functions with Gaussian weights. The posterior of the "
          "weights is Gaussian and exact.",
      .formula =
          "S' = (ΦᵀΦ/σ² + I/p²)⁻¹, m' = S'Φᵀy/σ²; variance of f: "
          "φᵀS'φ; of y, with the noise: that + σ²",
      .theory = "9-small-bayesian-models",
      .make = []() -> std::unique_ptr<RegressionMethod> { return std::make_unique<BlrMethod>(); }};
}

}  // namespace dubito
