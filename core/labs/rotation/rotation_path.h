// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"
#include "core/labs/rotation/rotation_options.h"

namespace dubito {

/// One item along a path.
struct RotationPath {
  /// [G] degrees of a rotation, severity of another corruption, or share of the way to the other
  /// item.
  std::vector<double> positions;
  Array<float> inputs;         ///< [G, ...] as preprocess() returns them
  std::vector<Image8> images;  ///< [G] what the network sees; empty if the item is not an image
};

/// The changed versions of the item at `index` of the dataset. Options must pass check().
/// kInvalidArgument for an item that does not exist, and for two items whose inputs differ in
/// shape; errors of Dataset::read, corrupted() and preprocess().
[[nodiscard]] Expected<RotationPath> makeRotationPath(const Dataset& dataset, std::int64_t index,
                                                      const Preprocessing& preprocessing,
                                                      const RotationOptions& options);

}  // namespace dubito
