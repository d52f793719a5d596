// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_method.h"

#include <fmt/format.h>

#include <memory>

#include "core/labs/gaussian/gp_learner.h"
#include "core/labs/gaussian/kernel_text.h"
#include "core/labs/gaussian/noise_rule.h"

namespace dubito {
namespace {

class GpMethod final : public MethodWithOptions<RegressionMethod, GpOptions> {
 public:
  [[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> start(
      const RegressionProblem& problem, std::uint64_t seed) const override {
    return startGp(options(), problem, seed);
  }
};

}  // namespace

std::vector<Field> GpOptions::fields() {
  const Requirement without_search =
      oneUnless(optimise || noise == "auto", {setting("optimise"), setting("noise_from", "auto")});
  return {{{.name = "kernel",
            .label = optimise ? "Kernel to start from" : "Kernel",
            .help = "sums and products of " + kernelSignatures() +
                    "; a number is a variance, as in 1.5*se(0.8) + linear(0.5)"},
           &kernel},
          {{.name = "optimise",
            .label = "Fit the kernel",
            .help = "choose the parameters of the kernel by the evidence, starting from those "
                    "given"},
           &optimise},
          {noiseFieldInfo(), &noise},
          {{.name = "starts",
            .label = "Starts",
            .help = "starting points of the optimisation; the first is the kernel as given, each "
                    "further one the best of at least 16 random kernels",
            .min = 1,
            .max = 20,
            .unmet_requirement = without_search,
            .advanced = true},
           &starts},
          {{.name = "steps",
            .label = "Steps",
            .help = "largest number of optimiser steps from one starting point",
            .min = 1,
            .max = 500,
            .unmet_requirement = without_search,
            .advanced = true},
           &steps},
          {{.name = "evidence_points",
            .label = "Points for the evidence",
            .help = "largest number of points on which the evidence is maximised; of more points, "
                    "an even selection is used",
            .min = 2,
            .max = 2000,
            .unmet_requirement = without_search,
            .advanced = true},
           &evidence_points}};
}

Status GpOptions::check() const {
  GpOptions copy = *this;
  if (Status checked = checkFields(copy.fields()); !checked) {
    return checked;
  }
  if (const auto parsed = parseKernel(kernel); !parsed) {
    return failWith(parsed);
  }
  const auto rule = parseNoiseRule(noise);
  return rule ? Status() : Status(failWith(rule));
}

RegressionMethodInfo gpMethod() {
  return {
      .key = "gp",
      .name = "Gaussian process",
      .explanation =
          "A Gaussian distribution over functions, given by a kernel: how alike the values at "
          "two inputs are. Conditioned on the points, it is exact.",
      .formula =
          "mean k*ᵀ(K + σ²I)⁻¹y; variance of f: k** − k*ᵀ(K + σ²I)⁻¹k*; of y, with the "
          "noise: that + σ²",
      .theory = "9-small-bayesian-models",
      .make = []() -> std::unique_ptr<RegressionMethod> { return std::make_unique<GpMethod>(); }};
}

}  // namespace dubito
