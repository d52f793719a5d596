// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/augmentation_options.h"

namespace dubito {

std::vector<Field> AugmentationOptions::fields() {
  return {
      {{.name = "flip",
        .label = "Flip",
        .help = "mirror images left to right with probability 1/2",
        .advanced = true},
       &flip},
      {{.name = "rotation",
        .label = "Rotation",
        .help = "largest random rotation of the images",
        .unit = "degrees",
        .min = 0,
        .max = 180,
        .advanced = true},
       &rotation},
      {{.name = "mixup",
        .label = "Mixup",
        .help = "mix pairs of items, in shares from Beta(a, a) with this a; 0: none",
        .min = 0,
        .max = 100,
        .advanced = true},
       &mixup},
      {{.name = "label_smoothing",
        .label = "Label smoothing",
        .help = "share of the target that is distributed over all classes",
        .min = 0,
        .max = 0.99,
        .advanced = true},
       &label_smoothing},
  };
}

}  // namespace dubito
