// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <functional>
#include <memory>

#include "core/analysis/analysis.h"

namespace dubito {

/// Version of an item's picture.
enum class Picture {
  kStored,   ///< as stored
  kNetwork,  ///< the network input: resized and cropped, with the normalisation undone
};

/// A source of item pictures; each picture is identified by a key.
struct PictureSource {
  std::shared_ptr<const void> owner;  ///< dataset or analysis with the items
  /// Callable from any thread. Returns a null image if the item has no readable picture.
  std::function<QImage(qint64 key)> decode;
};
/// Whether the dataset of any part of an analysis is open, so that its items have pictures.
[[nodiscard]] bool hasPictures(const Analysis& analysis);
/// The pictures of the items of an analysis, with keyOf(item) as keys. All images are null if the
/// dataset is not open or, for Picture::kNetwork, the model is not open.
[[nodiscard]] PictureSource picturesOf(const AnalysisPtr& analysis,
                                       Picture picture = Picture::kStored);
/// The stored pictures of a dataset; the key is the position of the item.
[[nodiscard]] PictureSource picturesOf(const DatasetPtr& dataset);

/// Longest side of the pictures in galleries and rows of small images.
inline constexpr int kSmallPicture = 320;
/// The stored pictures, made smaller so that neither side is longer than `max_side` pixels. Large
/// photographs are not decoded in full where the dataset can do without.
[[nodiscard]] PictureSource smallPicturesOf(const AnalysisPtr& analysis, int max_side);
[[nodiscard]] PictureSource smallPicturesOf(const DatasetPtr& dataset, int max_side);
/// The pictures of `source` made smaller so that neither side is longer than `max_side` pixels.
[[nodiscard]] PictureSource scaledDown(const PictureSource& source, int max_side);

/// Key of an item, unique within its analysis.
[[nodiscard]] qint64 keyOf(ItemRef item);

}  // namespace dubito
