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

}  // namespace

QImage decodeItem(const Analysis& analysis, ItemRef item, Picture picture) {
  const AnalysisPart& part = analysis.partOf(item);
  if (!part.dataset || (picture == Picture::kNetwork && !analysis.model)) {
    return {};
  }
  const std::int64_t index = part.dataset_index[static_cast<std::size_t>(item.row)];
  if (index < 0) {
    return {};
  }
  try {
    const Expected<Sample> sample = part.dataset->read(index);
    if (!sample) {
      return {};
    }
    const Expected<Image8> image =
        picture == Picture::kStored
            ? toDisplayImage(*sample)
            : toNetworkImage(*sample, analysis.model->metadata().preprocessing);
    return image ? toQImage(*image) : QImage();
  } catch (const std::exception&) {
    return {};  // shown as a missing picture; predicting names the reason
  }
}

ThumbnailLoader::ThumbnailLoader(QObject* parent, Picture picture)
    : QObject(parent), picture_(picture), wanted_(std::make_shared<std::atomic<bool>>(true)) {
  pool_.setMaxThreadCount(2);
}

ThumbnailLoader::~ThumbnailLoader() {
  wanted_->store(false);
  pool_.clear();
  pool_.waitForDone();
}

qint64 ThumbnailLoader::keyOf(ItemRef item) {
  return (static_cast<qint64>(item.part) << kRowBits) | item.row;
}

ItemRef ThumbnailLoader::itemOf(qint64 key) {
  return {static_cast<std::int32_t>(key >> kRowBits), key & ((qint64{1} << kRowBits) - 1)};
}

void ThumbnailLoader::load(const AnalysisPtr& analysis, const QVector<qint64>& keys) {
  if (analysis != analysis_) {
    wanted_->store(false);
    wanted_ = std::make_shared<std::atomic<bool>>(true);
    pool_.clear();
    pending_ = 0;
    analysis_ = analysis;
  }
  for (const qint64 key : keys) {
    ++pending_;
    pool_.start([this, analysis, key, picture = picture_, wanted = wanted_] {
      if (!wanted->load()) {
        return;
      }
      const QImage image = decodeItem(*analysis, itemOf(key), picture);
      QMetaObject::invokeMethod(
          this,
          [this, analysis, key, image, wanted] {
            if (wanted->load()) {
              --pending_;
              Q_EMIT loaded(analysis, key, image);
            }
          },
          Qt::QueuedConnection);
    });
  }
}

}  // namespace dubito
