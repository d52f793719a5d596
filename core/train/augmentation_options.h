// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/options.h"

namespace dubito {

/// Random changes of the training images, and softer targets. Shifts are separate options
/// (TrainOptions::shift).
struct AugmentationOptions {
  /// Mirror every image left to right with probability 1/2.
  bool flip = false;
  /// Largest random rotation of the images, in degrees.
  double rotation = 0.0;
  /// a of Beta(a, a), the distribution of the share in which two items are mixed; 0: no mixup.
  double mixup = 0.0;
  /// Share of the target that is distributed evenly over all classes.
  double label_smoothing = 0.0;

  [[nodiscard]] std::vector<Field> fields();
  /// Whether any of the options needs images.
  [[nodiscard]] bool needsImages() const { return flip || rotation > 0.0; }
};

}  // namespace dubito
