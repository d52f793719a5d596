// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/page_pictures.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace dubito {
namespace {

PictureSource smallPictures(const AnalysisPtr& analysis, int side) {
  const PictureSource large = picturesOf(analysis);
  return {std::make_shared<int>(side), [large, side](qint64 key) {
            const QImage image = large.decode(key);
            return std::max(image.width(), image.height()) > side
                       ? image.scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation)
                       : image;
          }};
}

}  // namespace

PagePictures::PagePictures(QObject* parent) : QObject(parent) {
  connect(&loader_, &ThumbnailLoader::loaded, this,
          [this](const std::shared_ptr<const void>& of, qint64 key, const QImage& image) {
            if (of == source_.owner && requested_.contains(key)) {
              pictures_.insert(key, image);
              Q_EMIT loaded(key, image);
            }
          });
}

void PagePictures::load(const AnalysisPtr& analysis, int side,
                        const std::vector<std::int64_t>& rows,
                        const std::vector<std::int64_t>& next_rows) {
  if (analysis != analysis_ || side != side_) {
    clear();
    analysis_ = analysis;
    side_ = side;
    source_ = smallPictures(analysis, side);
  }
  QHash<qint64, QImage> kept;
  QSet<qint64> wanted;
  QVector<qint64> missing;
  for (const std::vector<std::int64_t>* const page : {&rows, &next_rows}) {
    for (const std::int64_t row : *page) {
      const qint64 key = keyOf({0, row});
      wanted.insert(key);
      if (const auto found = pictures_.constFind(key); found != pictures_.constEnd()) {
        kept.insert(key, *found);
      } else if (!requested_.contains(key)) {
        missing << key;
      }
    }
  }
  pictures_ = std::move(kept);
  requested_ = std::move(wanted);
  if (!missing.isEmpty()) {
    loader_.load(source_, missing);
  }
}

void PagePictures::clear() {
  analysis_.reset();
  source_ = {};
  pictures_.clear();
  requested_.clear();
}

}  // namespace dubito
