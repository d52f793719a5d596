// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Thumbnails for datasets of vectors: points of the plane are drawn on a scatter plot of the other
/// items, longer vectors as bars.
class VectorThumbnails {
 public:
  /// Side length in pixels.
  static constexpr int kSide = 64;

  /// Reads up to 500 evenly spaced items to choose the common axes.
  explicit VectorThumbnails(const Dataset& dataset);

  /// The thumbnail of `sample`, an item of the dataset. Fails with kUnsupported if it is not a
  /// vector.
  [[nodiscard]] Expected<Image8> draw(const Sample& sample) const;

 private:
  Interval x_;  ///< horizontal axis of planar items
  Interval y_;
  Interval values_;                   ///< range of all values of the items, including 0
  std::vector<std::uint8_t> ground_;  ///< [kSide * kSide] background scatter of planar items
};

}  // namespace dubito
