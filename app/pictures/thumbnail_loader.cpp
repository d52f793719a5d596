// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/thumbnail_loader.h"

#include <QMetaObject>

namespace dubito {

ThumbnailLoader::ThumbnailLoader(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(2);
}

ThumbnailLoader::~ThumbnailLoader() {
  pool_.clear();
  pool_.waitForDone();
}

void ThumbnailLoader::load(const PictureSource& source, const QVector<qint64>& keys) {
  if (source.owner != owner_) {
    pool_.clear();
    requested_.clear();
    owner_ = source.owner;
  }
  ++priority_;
  for (const qint64 key : keys) {
    Taken& taken = requested_[key];
    if (taken && taken->exchange(true)) {
      continue;  // on its way; a request that only waits is made anew, before the earlier ones
    }
    taken = std::make_shared<std::atomic<bool>>(false);
    start(source, key, taken);
  }
}

void ThumbnailLoader::start(const PictureSource& source, qint64 key, const Taken& taken) {
  pool_.start(
      [this, source, key, taken] {
        if (taken->exchange(true)) {
          return;
        }
        const QImage image = source.decode(key);
        QMetaObject::invokeMethod(
            this,
            [this, owner = source.owner, key, image, taken] {
              // Not if another source was chosen meanwhile.
              if (requested_.value(key) == taken) {
                requested_.remove(key);
                Q_EMIT loaded(owner, key, image);
              }
            },
            Qt::QueuedConnection);
      },
      priority_);
}

void ThumbnailLoader::loadOnly(const PictureSource& source, const QVector<qint64>& keys) {
  requested_.removeIf([&keys](QHash<qint64, Taken>::iterator request) {
    return !keys.contains(request.key()) && !request.value()->exchange(true);
  });
  load(source, keys);
}

}  // namespace dubito
