// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/head_options.h"

#include "core/train/dropout_options.h"

namespace dubito {

std::vector<Field> HeadOptions::fields() {
  const Requirement of_network = oneUnless(
      isNetwork(), {setting("layers", "above 1"), setting("dropout", "fixed, concrete or multi")});
  const Requirement of_linear =
      allUnless(!isNetwork(), {setting("layers", "1"), setting("dropout", "none")});
  std::vector<Field> fields = {
      {{.name = "layers",
        .label = "Layers",
        .help = "linear layers of the head, with ReLUs between them",
        .min = 1,
        .max = 3},
       &layers},
      {{.name = "units",
        .label = "Units",
        .help = "units of each hidden layer",
        .min = 1,
        .max = 1e5,
        .unmet_requirement = allUnless(layers > 1, {setting("layers", "above 1")})},
       &units},
      {{.name = "epochs",
        .label = "Epochs",
        .help = "largest number of passes over the features",
        .min = 1,
        .max = 1e5,
        .unmet_requirement = of_network},
       &epochs},
      {{.name = "minibatch",
        .label = "Minibatch",
        .help = "items per step of the head",
        .min = 1,
        .max = 1e6,
        .unmet_requirement = of_network,
        .advanced = true},
       &minibatch},
      {{.name = "learning_rate",
        .label = "Learning rate",
        .help = "initial learning rate of Adam; by default 0.001",
        .min = 1e-8,
        .max = 10,
        .unmet_requirement = of_network,
        .advanced = true},
       &learning_rate},
      {{.name = "weight_decay",
        .label = "Weight decay",
        .help = "strength of weight decay",
        .min = 0,
        .max = 1,
        .unmet_requirement = of_network,
        .advanced = true},
       &weight_decay},
      {{.name = "l2",
        .label = "L2 penalty",
        .help = "strength of the penalty of the weights, per item; by default the one with the "
                "lowest loss on items that are held out",
        .min = 0,
        .max = 1e3,
        .unmet_requirement = of_linear,
        .advanced = true},
       &l2},
      {{.name = "iterations",
        .label = "Iterations",
        .help = "largest number of passes over the features",
        .min = 1,
        .max = 1e5,
        .unmet_requirement = of_linear,
        .advanced = true},
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
        .help = "iterations or epochs without a lower validation loss before training stops",
        .min = 1,
        .max = 1e5,
        .unmet_requirement = allUnless(validation_share > 0.0, {setting("validation_share")}),
        .advanced = true},
       &patience},
      {{.name = "folds",
        .label = "Held-out parts",
        .help = "number of parts, each held out once to measure the accuracy on items that were "
                "not trained on; 0: not measured",
        .min = 0,
        .max = 100,
        .unmet_requirement =
            isNetwork() ? of_linear
                        : allUnless(!(validation_share > 0.0), {omitted("validation_share")}),
        .advanced = true},
       &folds},
      {{.name = "classes",
        .label = "Classes",
        .help = "both: those of the network and those that only the dataset has; dataset: only "
                "those of the dataset",
        .choices = {"both", "dataset"},
        .forms = {{.prefix = "both", .label = "old and new"},
                  {.prefix = "dataset", .label = "only the new"}}},
       &classes},
      {{.name = "feature_cache",
        .label = "Feature cache",
        .help = "folder in which the features of the items are kept; by default "
                "~/.cache/dubito/features",
        .unmet_requirement =
            allUnless(feature_cache_mb > 0, {setting("feature_cache_mb", "above 0")}),
        .advanced = true},
       &feature_cache},
      {{.name = "feature_cache_mb",
        .label = "Cache size",
        .help = "limit on the size of all kept features; 0: none are kept",
        .unit = "MB",
        .min = 0,
        .max = 1e7,
        .advanced = true},
       &feature_cache_mb},
  };
  const std::vector<Field> of_dropout = DropoutOptions{dropout, drop_rate, length_scale}.fields();
  fields.insert(fields.begin() + 2, of_dropout.begin(), of_dropout.end());
  return fields;
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
