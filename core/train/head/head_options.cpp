// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/head_options.h"

namespace dubito {

std::vector<Field> HeadOptions::fields() {
  return {
      {{.name = "l2",
        .label = "L2 penalty",
        .help = "strength of the penalty of the weights, per item; by default the one with the "
                "lowest loss on items that are held out",
        .min = 0,
        .max = 1e3},
       &l2},
      {{.name = "iterations",
        .label = "Iterations",
        .help = "largest number of passes over the features",
        .min = 1,
        .max = 1e5},
       &iterations},
      {{.name = "validation_share",
        .label = "Validation share",
        .help = "share of the items that are held out; training stops when their loss no longer "
                "falls",
        .min = 0,
        .max = 0.9},
       &validation_share},
      {{.name = "patience",
        .label = "Patience",
        .help = "iterations without a lower validation loss before training stops",
        .min = 1,
        .max = 1e5,
        .unmet_requirement = validation_share > 0.0 ? "" : "--validation-share"},
       &patience},
      {{.name = "folds",
        .label = "Held-out parts",
        .help = "number of parts, each held out once to measure the accuracy on items that were "
                "not trained on; 0: not measured",
        .min = 0,
        .max = 100,
        .unmet_requirement = validation_share > 0.0 ? "no --validation-share" : ""},
       &folds},
      {{.name = "classes",
        .label = "Classes",
        .help = "both: those of the network and those that only the dataset has; dataset: only "
                "those of the dataset",
        .choices = {"both", "dataset"}},
       &classes},
      {{.name = "feature_cache",
        .label = "Feature cache",
        .help = "folder in which the features of the items are kept; by default "
                "~/.cache/dubito/features",
        .unmet_requirement = feature_cache_mb > 0 ? "" : "--feature-cache-mb above 0"},
       &feature_cache},
      {{.name = "feature_cache_mb",
        .label = "Cache size",
        .help = "limit on the size of all kept features; 0: none are kept",
        .unit = "MB",
        .min = 0,
        .max = 1e7},
       &feature_cache_mb},
  };
}

Status HeadOptions::check() const {
  HeadOptions copy = *this;
  if (folds == 1) {
    return fail(ErrorCode::kInvalidArgument,
                "one part cannot be held out and trained on; choose at least two held-out parts");
  }
  return checkFields(copy.fields());
}

}  // namespace dubito
