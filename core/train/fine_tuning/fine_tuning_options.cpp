// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/fine_tuning/fine_tuning_options.h"

namespace dubito {

std::vector<Field> FineTuningOptions::fields() {
  return {
      {{.name = "epochs",
        .label = "Epochs",
        .help = "passes over the items that all layers are trained on",
        .min = 1,
        .max = 1e5},
       &epochs},
      {{.name = "batch", .label = "Batch", .help = "items per step", .min = 1, .max = 1e6}, &batch},
      {{.name = "learning_rate",
        .label = "Learning rate",
        .help = "initial learning rate with which all layers are trained",
        .min = 1e-8,
        .max = 10},
       &learning_rate},
  };
}

Status FineTuningOptions::check() const {
  FineTuningOptions copy = *this;
  return checkFields(copy.fields());
}

}  // namespace dubito
