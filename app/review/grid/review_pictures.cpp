// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/grid/review_pictures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/review/reviewer.h"
#include "widgets/zoom_view.h"

namespace dubito {
namespace {

/// Longest side in pixels of pictures that fill a view; wider views load every pixel.
constexpr int kMaxSide = 2048;
/// The side grows in such steps, so that not every change of the window loads pictures anew.
constexpr int kSideStep = 256;
constexpr int kHistorySide = 160;
constexpr std::int64_t kPrefetched = 6;
/// Memory for prefetched pictures.
constexpr std::int64_t kPictureBytes = std::int64_t{256} << 20;

int longerSide(const QSizeF& size) {
  return static_cast<int>(std::ceil(std::max(size.width(), size.height())));
}

}  // namespace

ReviewPictures::ReviewPictures(Reviewer& reviewer, ZoomView& view, QObject* parent)
    : QObject(parent), reviewer_(reviewer), view_(view) {
  using Owner = std::shared_ptr<const void>;
  connect(&loader_, &ThumbnailLoader::loaded, this,
          [this](const Owner& of, qint64 key, const QImage& image) {
            if (of == stored_.owner && picture_ == Picture::kStored) {
              take(key, image);
            }
          });
  connect(&network_loader_, &ThumbnailLoader::loaded, this,
          [this](const Owner& of, qint64 key, const QImage& image) {
            if (of == reviewer_.analysis() && picture_ == Picture::kNetwork) {
              take(key, image);
            }
          });
  connect(&small_loader_, &ThumbnailLoader::loaded, this,
          [this](const Owner& of, qint64 key, const QImage& image) {
            if (of == reviewer_.analysis()) {
              Q_EMIT smallLoaded(key, image);
            }
          });
  connect(&full_loader_, &ThumbnailLoader::loaded, this,
          [this](const Owner& of, qint64 key, const QImage& image) {
            const auto row = reviewer_.row();
            if (of == reviewer_.analysis() && picture_ == Picture::kStored && row &&
                key == keyOf({0, *row}) && !image.isNull()) {
              sharp_ = true;
              view_.refine(image);
            }
          });
  connect(&view_, &ZoomView::enlarged, this, &ReviewPictures::sharpen);
}

bool ReviewPictures::busy() const {
  return loader_.pending() > 0 || network_loader_.pending() > 0 || small_loader_.pending() > 0 ||
         full_loader_.pending() > 0;
}

bool ReviewPictures::isShown() const {
  const auto row = reviewer_.row();
  return row && pictures_.contains(keyOf({0, *row}));
}

void ReviewPictures::setPicture(Picture picture) {
  picture_ = picture;
  pictures_.clear();
  if (reviewer_.row()) {
    showItem();
  }
}

int ReviewPictures::neededSide() const {
  const int side = longerSide(QSizeF(view_.size()) * view_.devicePixelRatioF());
  return std::min(kMaxSide, (side / kSideStep + 1) * kSideStep);
}

void ReviewPictures::updateSource() {
  const bool other_run = pictured_ != reviewer_.analysis();
  if (other_run) {
    pictured_ = reviewer_.analysis();  // the keys mean other items
    pictures_.clear();
    thumbnails_.clear();
  }
  if (other_run || neededSide() > side_) {
    side_ = neededSide();
    stored_ = {std::make_shared<int>(side_), smallPicturesOf(pictured_, side_).decode};
  }
}

std::vector<std::int64_t> ReviewPictures::wantedRows() const {
  // An item that is not in the queue is followed by the queue's present one.
  std::vector<std::int64_t> rows = {*reviewer_.row()};
  const std::int64_t first = std::max<std::int64_t>(reviewer_.position(), 0);
  const std::int64_t end = std::min(first + 1 + prefetched_, reviewer_.queue().length());
  for (std::int64_t at = first; at < end; ++at) {
    rows.push_back(reviewer_.queue().rows[static_cast<std::size_t>(at)]);
  }
  return rows;
}

void ReviewPictures::showItem() {
  updateSource();
  QVector<qint64> missing;
  QHash<qint64, Held> kept;
  for (const std::int64_t row : wantedRows()) {
    const qint64 key = keyOf({0, row});
    if (const auto found = pictures_.constFind(key); found != pictures_.constEnd()) {
      kept.insert(key, *found);
    } else if (!missing.contains(key)) {
      missing << key;
    }
  }
  pictures_ = std::move(kept);
  full_loader_.clear();
  if (picture_ == Picture::kStored) {
    loader_.loadOnly(stored_, missing);
  } else {
    network_loader_.loadOnly(scaledDown(picturesOf(pictured_, Picture::kNetwork), kMaxSide),
                             missing);
  }
  const auto shown = pictures_.constFind(keyOf({0, *reviewer_.row()}));
  if (shown != pictures_.constEnd()) {
    show(shown->image);
  } else {
    view_.setImage({}, tr("Loading…"));
  }
}

void ReviewPictures::take(qint64 key, const QImage& image) {
  if (picture_ == Picture::kStored && !image.isNull()) {
    thumbnails_.insert(
        key, new QImage(image.scaled(QSize(kHistorySide, kHistorySide), Qt::KeepAspectRatio,
                                     Qt::SmoothTransformation)));
  }
  const auto row = reviewer_.row();
  if (!row) {
    return;
  }
  pictures_.insert(
      key, {image, picture_ == Picture::kStored && longerSide(QSizeF(image.size())) == side_});
  prefetched_ = std::clamp<std::int64_t>(
      kPictureBytes / std::max<std::int64_t>(image.sizeInBytes(), 1), 1, kPrefetched);
  if (key == keyOf({0, *row})) {
    show(image);
  }
}

void ReviewPictures::show(const QImage& image) {
  sharp_ = false;
  view_.setImage(image, tr("This image cannot be read"));
  view_.update();
  sharpen();
  Q_EMIT shown(!image.isNull());
}

void ReviewPictures::sharpen() {
  const auto row = reviewer_.row();
  const auto held = row ? pictures_.constFind(keyOf({0, *row})) : pictures_.constEnd();
  if (held == pictures_.constEnd() || !held->reduced || sharp_) {
    return;
  }
  const QSizeF painted = view_.imageRect().size() * view_.devicePixelRatioF();
  if (longerSide(painted) > longerSide(QSizeF(held->image.size()))) {
    full_loader_.loadOnly(picturesOf(reviewer_.analysis()), {held.key()});
  }
}

void ReviewPictures::loadSmall(const QVector<qint64>& keys) {
  QVector<qint64> missing;
  for (const qint64 key : keys) {
    if (const QImage* const known = thumbnails_.object(key)) {
      Q_EMIT smallLoaded(key, *known);
    } else {
      missing << key;
    }
  }
  if (!missing.isEmpty() && reviewer_.analysis()) {
    small_loader_.load(smallPicturesOf(reviewer_.analysis(), kHistorySide), missing);
  }
}

}  // namespace dubito
