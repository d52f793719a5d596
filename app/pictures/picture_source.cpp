// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/picture_source.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/data/images/input_range.h"
#include "core/data/images/network_image.h"
#include "core/data/images/preprocessing.h"
#include "core/data/images/vector_picture.h"
#include "core/data/items/item_files.h"
#include "widgets/image_view.h"

namespace dubito {
namespace {

constexpr int kRowBits = 48;
/// Side of a picture that has every pixel.
constexpr int kEveryPixel = std::numeric_limits<int>::max();

ItemRef itemOf(qint64 key) {
  return {static_cast<std::int32_t>(key >> kRowBits), key & ((qint64{1} << kRowBits) - 1)};
}

/// Unreadable items appear as missing pictures; predicting reports the reason.
template <class Show>
QImage readPicture(const Dataset& dataset, std::int64_t position, int side, const Show& show) {
  try {
    const Expected<ReducedSample> read = readReduced(dataset, position, side);
    if (!read) {
      return {};
    }
    const Expected<Image8> image = show(*read);
    return image ? toQImage(*image) : QImage();
  } catch (const std::exception&) {
    return {};
  }
}

/// Drawings for vector items of one dataset; data they share is read on first use.
class VectorPicturesOnce {
 public:
  [[nodiscard]] Expected<Image8> draw(const Dataset& dataset, const Sample& sample) {
    std::call_once(made_, [&] { pictures_.emplace(dataset); });
    return pictures_->draw(sample);
  }

 private:
  std::once_flag made_;
  std::optional<VectorThumbnails> pictures_;
};

bool isVector(const Sample& sample) {
  const auto* const values = std::get_if<Array<float>>(&sample);
  return values != nullptr && values->rank() == 1;
}

/// As stored; vectors become small drawings.
Expected<Image8> storedPicture(const Dataset& dataset, const Sample& sample,
                               VectorPicturesOnce& vectors) {
  return isVector(sample) ? vectors.draw(dataset, sample) : toDisplayImage(sample);
}

QImage readPicture(const Analysis& analysis, ItemRef item, Picture picture, int side,
                   VectorPicturesOnce& vectors) {
  const AnalysisPart& part = analysis.partOf(item);
  if (!part.dataset || (picture == Picture::kNetwork && !analysis.model)) {
    return {};
  }
  const std::int64_t position = part.dataset_index[static_cast<std::size_t>(item.row)];
  if (position < 0) {
    return {};
  }
  return readPicture(*part.dataset, position, side, [&](const ReducedSample& read) {
    return picture == Picture::kStored || isVector(read.sample)
               ? storedPicture(*part.dataset, read.sample, vectors)
               : toNetworkImage(
                     read.sample,
                     preprocessingFor(*part.dataset, analysis.model->metadata().preprocessing));
  });
}

PictureSource sourceOf(const AnalysisPtr& analysis, Picture picture, int side) {
  auto vectors = std::make_shared<std::vector<VectorPicturesOnce>>(analysis->parts.size());
  return {analysis, [analysis, picture, side, vectors](qint64 key) {
            const ItemRef item = itemOf(key);
            return readPicture(*analysis, item, picture, side,
                               (*vectors)[static_cast<std::size_t>(item.part)]);
          }};
}

PictureSource sourceOf(const DatasetPtr& dataset, int side) {
  return {dataset,
          [dataset, side, vectors = std::make_shared<VectorPicturesOnce>()](qint64 position) {
            return readPicture(*dataset, position, side, [&](const ReducedSample& read) {
              return storedPicture(*dataset, read.sample, *vectors);
            });
          }};
}

}  // namespace

qint64 keyOf(ItemRef item) {
  return (static_cast<qint64>(item.part) << kRowBits) | item.row;
}

bool hasPictures(const Analysis& analysis) {
  return std::ranges::any_of(analysis.parts,
                             [](const AnalysisPart& part) { return part.dataset != nullptr; });
}

PictureSource picturesOf(const AnalysisPtr& analysis, Picture picture) {
  return sourceOf(analysis, picture, kEveryPixel);
}

PictureSource picturesOf(const DatasetPtr& dataset) {
  return sourceOf(dataset, kEveryPixel);
}

PictureSource smallPicturesOf(const AnalysisPtr& analysis, int max_side) {
  return scaledDown(sourceOf(analysis, Picture::kStored, max_side), max_side);
}

PictureSource smallPicturesOf(const DatasetPtr& dataset, int max_side) {
  return scaledDown(sourceOf(dataset, max_side), max_side);
}

PictureSource scaledDown(const PictureSource& source, int max_side) {
  return {source.owner, [decode = source.decode, max_side](qint64 key) {
            QImage image = decode(key);
            if (std::max(image.width(), image.height()) <= max_side) {
              return image;
            }
            // Painting converts other formats again each time.
            return image.convertToFormat(QImage::Format_RGB32)
                .scaled(max_side, max_side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
          }};
}

}  // namespace dubito
