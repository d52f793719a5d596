// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/predict_options.h"

namespace dubito {

std::vector<Field> PredictOptions::fields() {
  return {
      {{.name = "batch",
        .label = "Batch",
        .help = "items per batch",
        .min = 1,
        .max = 1e6,
        .advanced = true},
       &batch},
      {{.name = "keep_samples_mb",
        .label = "Stored draws",
        .help = "draws are stored if all of them fit in this size, otherwise recomputed on demand",
        .unit = "MB",
        .min = 0,
        .max = 1e7,
        .advanced = true},
       &keep_samples_mb},
  };
}

Status PredictOptions::check() const {
  PredictOptions copy = *this;
  return checkFields(copy.fields());
}

}  // namespace dubito
