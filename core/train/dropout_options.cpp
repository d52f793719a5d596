// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/dropout_options.h"

#include "core/train/dropout_kind.h"

namespace dubito {

std::vector<Field> DropoutOptions::fields() const {
  const DropoutKind kind = dropoutKindOf(dropout);
  return {
      {{.name = "dropout",
        .label = "Dropout",
        .help = "none; fixed: at a given rate; concrete: one learned rate per layer; multi: one "
                "learned rate per unit",
        .choices = dropoutKinds()},
       &dropout},
      {{.name = "drop_rate",
        .label = "Drop rate",
        .help = "probability of dropping a unit, or where learned rates begin; by default 0.5, 0.2 "
                "for a resnet, 0.1 if it is learned",
        .min = 0,
        .max = 0.999,
        .unmet_requirement = allUnless(kind != DropoutKind::kNone,
                                       {setting("dropout", "fixed, concrete or multi")})},
       &drop_rate},
      {{.name = "length_scale",
        .label = "Length scale",
        .help = "prior length scale, which sets the penalty of weights with learned drop rates; "
                "larger is smoother",
        .min = 1e-6,
        .max = 1e4,
        .unmet_requirement =
            allUnless(learnsRates(kind), {setting("dropout", "concrete or multi")})},
       &length_scale},
  };
}

}  // namespace dubito
