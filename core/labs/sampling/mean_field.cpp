// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/mean_field.h"

namespace dubito {

std::vector<Field> MeanFieldOptions::fields() {
  return {
      {{.name = "steps",
        .label = "Steps",
        .help = "gradient steps in all; the learning rate falls to 0 over them",
        .min = 1,
        .max = 1e7},
       &steps},
      {{.name = "draws",
        .label = "Draws per step",
        .help = "draws of the parameters per gradient",
        .min = 1,
        .max = 1000,
        .advanced = true},
       &draws},
      {{.name = "learning_rate",
        .label = "Learning rate",
        .help = "first learning rate of Adam",
        .min = 1e-7,
        .max = 10.0},
       &learning_rate},
      {{.name = "initial_std",
        .label = "Initial spread",
        .help = "standard deviation of the Gaussian to begin with, as a share of the prior's",
        .min = 1e-6,
        .max = 1e3,
        .advanced = true},
       &initial_std},
  };
}

Status MeanFieldOptions::check() const {
  MeanFieldOptions copy = *this;
  return checkFields(copy.fields());
}

void drawOf(std::span<const double> mean, std::span<const double> std,
            std::span<const double> noise, std::int64_t s, std::span<double> weights) {
  const std::size_t dimension = mean.size();
  const auto row = noise.subspan(static_cast<std::size_t>(s) * dimension, dimension);
  for (std::size_t d = 0; d < dimension; ++d) {
    weights[d] = mean[d] + std[d] * row[d];
  }
}

}  // namespace dubito
