// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Small pictures of the items of a dataset of vectors: a point of the plane among some of the
/// others, longer vectors as bars.
class VectorPictures {
 public:
  /// Side of the pictures in pixels.
  static constexpr int kSide = 64;

  /// Reads up to 500 items, evenly spread, for what the pictures have in common.
  explicit VectorPictures(const Dataset& dataset);

  /// The picture of `sample`, an item of the dataset. kUnsupported for anything but a vector.
  [[nodiscard]] Expected<Image8> draw(const Sample& sample) const;

 private:
  Interval x_;  ///< of planar items
  Interval y_;
  Interval values_;                   ///< of all numbers of the items, 0 included
  std::vector<std::uint8_t> ground_;  ///< [kSide * kSide] the cloud of planar items
};

}  // namespace dubito
