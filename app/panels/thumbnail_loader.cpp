// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/thumbnail_loader.h"

#include <QMetaObject>
#include <exception>

#include "core/data/network_image.h"
#include "core/data/preprocessing.h"
#include "widgets/image_view.h"

namespace dubito {
namespace {

constexpr int kRowBits = 48;

ItemRef itemOf(qint64 key) {
  return {static_cast<std::int32_t>(key >> kRowBits), key & ((qint64{1} << kRowBits) - 1)};
}

/// What cannot be read is shown as a missing picture; predicting names the reason.
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

QImage readPicture(const Analysis& analysis, ItemRef item, Picture picture) {
  const AnalysisPart& part = analysis.partOf(item);
  if (!part.dataset || (picture == Picture::kNetwork && !analysis.model)) {
    return {};
  }
  const std::int64_t position = part.dataset_index[static_cast<std::size_t>(item.row)];
  if (position < 0) {
    return {};
  }
  return readPicture(*part.dataset, position, [&](const Sample& sample) {
    return picture == Picture::kStored
               ? toDisplayImage(sample)
               : toNetworkImage(sample, analysis.model->metadata().preprocessing);
  });
}

}  // namespace

qint64 keyOf(ItemRef item) {
  return (static_cast<qint64>(item.part) << kRowBits) | item.row;
}

PictureSource picturesOf(const AnalysisPtr& analysis, Picture picture) {
  return {analysis,
          [analysis, picture](qint64 key) { return readPicture(*analysis, itemOf(key), picture); }};
}

PictureSource picturesOf(const DatasetPtr& dataset) {
  return {dataset, [dataset](qint64 position) {
            return readPicture(*dataset, position,
                               [](const Sample& sample) { return toDisplayImage(sample); });
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
  if (source.of != of_) {
    wanted_->store(false);
    wanted_ = std::make_shared<std::atomic<bool>>(true);
    pool_.clear();
    pending_ = 0;
    of_ = source.of;
  }
  for (const qint64 key : keys) {
    ++pending_;
    pool_.start([this, source, key, wanted = wanted_] {
      if (!wanted->load()) {
        return;
      }
      const QImage image = source.decode(key);
      QMetaObject::invokeMethod(
          this,
          [this, of = source.of, key, image, wanted] {
            if (wanted->load()) {
              --pending_;
              Q_EMIT loaded(of, key, image);
            }
          },
          Qt::QueuedConnection);
    });
  }
}

}  // namespace dubito
