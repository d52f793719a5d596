// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/dropout_kind.h"
#include "core/train/dropout_options.h"
#include "core/train/train.h"

namespace dubito {

std::vector<Field> TrainOptions::fields() {
  const DropoutKind kind = dropoutKindOf(dropout);
  std::vector<Field> fields = {
      {{.name = "architecture",
        .label = "Network",
        .help = "network architecture",
        .choices = {"lenet", "resnet", "mlp"}},
       &architecture},
      {{.name = "epochs",
        .label = "Epochs",
        .help = "passes over the training set",
        .min = 1,
        .max = 1e5},
       &epochs},
      {{.name = "batch", .label = "Batch", .help = "items per step", .min = 1, .max = 1e6}, &batch},
      {{.name = "optimiser",
        .label = "Optimiser",
        .help = "optimisation algorithm",
        .choices = {"sgd", "adam"}},
       &optimiser},
      {{.name = "learning_rate",
        .label = "Learning rate",
        .help = "initial learning rate; by default 0.05 for sgd and 0.001 for adam",
        .min = 1e-8,
        .max = 10},
       &learning_rate},
      {{.name = "weight_decay",
        .label = "Weight decay",
        .help = "strength of weight decay",
        .min = 0,
        .max = 1},
       &weight_decay},
      {{.name = "drop_channels",
        .label = "Drop channels",
        .help = "also drop whole channels before a convolution",
        .unmet_requirement = architecture == "mlp"
                                 ? Requirement{{setting("architecture", "lenet or resnet")}}
                                 : allUnless(kind != DropoutKind::kNone,
                                             {setting("dropout", "fixed, concrete or multi")})},
       &drop_channels},
      {{.name = "shift",
        .label = "Shift",
        .help = "largest random shift of the images",
        .unit = "px",
        .min = 0,
        .max = 64},
       &shift},
      {{.name = "width",
        .label = "Width",
        .help = "factor for the number of filters and units",
        .min = 0.05,
        .max = 64},
       &width},
  };
  for (const std::vector<Field>& more :
       {DropoutOptions{dropout, drop_rate, length_scale}.fields(), schedule.fields(),
        augmentation.fields(), averaging.fields()}) {
    fields.insert(fields.end(), more.begin(), more.end());
  }
  if (averaging.snapshots > 0) {
    for (Field& field : fields) {
      if (field.info.name == "schedule" || field.info.name == "warm_up") {
        field.info.unmet_requirement = Requirement{{omitted("snapshots")}};
      }
    }
  }
  return fields;
}

double effectiveDropRate(const TrainOptions& options) {
  if (options.drop_rate) {
    return *options.drop_rate;
  }
  return learnsRates(dropoutKindOf(options.dropout)) ? 0.1
         : options.architecture == "resnet"          ? 0.2
                                                     : 0.5;
}

Status TrainOptions::check() const {
  TrainOptions copy = *this;
  if (Status checked = checkFields(copy.fields()); !checked) {
    return checked;
  }
  return averaging.check(epochs);
}

}  // namespace dubito
