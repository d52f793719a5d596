// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/thumbnail_loader.h"

#include <QMetaObject>
#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>

#include "core/data/images/network_image.h"
#include "core/data/images/preprocessing.h"
#include "core/data/images/vector_picture.h"
#include "widgets/image_view.h"

namespace dubito {
namespace {

constexpr int kRowBits = 48;

ItemRef itemOf(qint64 key) {
  return {static_cast<std::int32_t>(key >> kRowBits), key & ((qint64{1} << kRowBits) - 1)};
}

/// Unreadable items appear as missing pictures; predicting reports the reason.
template <class Show>
QImage readPicture(const Dataset& dataset, std::int64_t position, const Show& show) {
  try {
    const Expected<Sample> sample = dataset.read(position);
    if (!sample) {
      return {};
    }
    const Expected<Image8> image = show(*sample);
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

QImage readPicture(const Analysis& analysis, ItemRef item, Picture picture,
                   VectorPicturesOnce& vectors, const SampleSeen& seen) {
  const AnalysisPart& part = analysis.partOf(item);
  if (!part.dataset || (picture == Picture::kNetwork && !analysis.model)) {
    return {};
  }
  const std::int64_t position = part.dataset_index[static_cast<std::size_t>(item.row)];
  if (position < 0) {
    return {};
  }
  return readPicture(*part.dataset, position, [&](const Sample& sample) {
    if (seen) {
      seen(item, sample);
    }
    return picture == Picture::kStored || isVector(sample)
               ? storedPicture(*part.dataset, sample, vectors)
               : toNetworkImage(sample, analysis.model->metadata().preprocessing);
  });
}

}  // namespace

qint64 keyOf(ItemRef item) {
  return (static_cast<qint64>(item.part) << kRowBits) | item.row;
}

PictureSource picturesOf(const AnalysisPtr& analysis, Picture picture, const SampleSeen& seen) {
  auto vectors = std::make_shared<std::vector<VectorPicturesOnce>>(analysis->parts.size());
  return {analysis, [analysis, picture, vectors, seen](qint64 key) {
            const ItemRef item = itemOf(key);
            return readPicture(*analysis, item, picture,
                               (*vectors)[static_cast<std::size_t>(item.part)], seen);
          }};
}

PictureSource picturesOf(const DatasetPtr& dataset) {
  return {dataset, [dataset, vectors = std::make_shared<VectorPicturesOnce>()](qint64 position) {
            return readPicture(*dataset, position, [&](const Sample& sample) {
              return storedPicture(*dataset, sample, *vectors);
            });
          }};
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

ThumbnailLoader::ThumbnailLoader(QObject* parent)
    : QObject(parent), wanted_(std::make_shared<std::atomic<bool>>(true)) {
  pool_.setMaxThreadCount(2);
}

ThumbnailLoader::~ThumbnailLoader() {
  wanted_->store(false);
  pool_.clear();
  pool_.waitForDone();
}

void ThumbnailLoader::load(const PictureSource& source, const QVector<qint64>& keys) {
  if (source.owner != owner_) {
    wanted_->store(false);
    wanted_ = std::make_shared<std::atomic<bool>>(true);
    pool_.clear();
    pending_ = 0;
    requested_.clear();
    owner_ = source.owner;
  }
  ++priority_;
  for (const qint64 key : keys) {
    if (requested_.contains(key)) {
      continue;
    }
    ++pending_;
    const auto taken = std::make_shared<std::atomic<bool>>(false);
    requested_.insert(key, taken);
    pool_.start(
        [this, source, key, taken, wanted = wanted_] {
          if (!wanted->load() || taken->exchange(true)) {
            return;
          }
          const QImage image = source.decode(key);
          QMetaObject::invokeMethod(
              this,
              [this, owner = source.owner, key, image, wanted] {
                if (wanted->load()) {
                  --pending_;
                  requested_.remove(key);
                  Q_EMIT loaded(owner, key, image);
                }
              },
              Qt::QueuedConnection);
        },
        priority_);
  }
}

void ThumbnailLoader::loadOnly(const PictureSource& source, const QVector<qint64>& keys) {
  for (auto request = requested_.begin(); request != requested_.end();) {
    if (!keys.contains(request.key()) && !request.value()->exchange(true)) {
      --pending_;
      request = requested_.erase(request);
    } else {
      ++request;
    }
  }
  load(source, keys);
}

}  // namespace dubito
