// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// The preprocessing of the items of `dataset`: `preprocessing`, except that a guessed scale of
/// 1/255 is 1 if the images are no bytes and cannot be meant to be divided by 255, because they lie
/// in 0 to 1 or have small values on both sides of 0.
[[nodiscard]] Preprocessing preprocessingFor(const Dataset& dataset,
                                             const Preprocessing& preprocessing);

/// A sentence with the numbers if preprocessingFor() changes the scale; else empty.
[[nodiscard]] std::string changedScaleNote(const Dataset& dataset,
                                           const Preprocessing& preprocessing);

/// Compares the values that a network would get with those that its scale, mean and std are meant
/// for. A warning of one sentence with both ranges and the remedy if they do not fit; else empty.
/// Vectors are not judged. Reads four to eight images, or
/// all if there are fewer. Fails with kCancelled.
[[nodiscard]] Expected<std::string> inputRangeWarning(const Dataset& dataset,
                                                      const Preprocessing& stated,
                                                      const RunContext& context);

}  // namespace dubito
