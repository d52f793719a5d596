// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/page_pictures.h"

#include <memory>
#include <utility>

namespace dubito {

PagePictures::PagePictures(QObject* parent) : QObject(parent) {
  connect(&loader_, &ThumbnailLoader::loaded, this,
          [this](const std::shared_ptr<const void>& /*of*/, qint64 key, const QImage& image) {
            pictures_.insert(key, image);
            Q_EMIT loaded(key, image);
          });
}

void PagePictures::load(const AnalysisPtr& analysis, int side,
                        const std::vector<std::int64_t>& rows,
                        const std::vector<std::int64_t>& next_rows) {
  if (analysis != analysis_ || side != side_) {
    clear();
    analysis_ = analysis;
    side_ = side;
    source_ = {std::make_shared<int>(side), smallPicturesOf(analysis, side).decode};
  }
  QHash<qint64, QImage> kept;
  QVector<qint64> missing;
  for (const std::vector<std::int64_t>* const page : {&rows, &next_rows}) {
    for (const std::int64_t row : *page) {
      const qint64 key = keyOf({0, row});
      if (const auto found = pictures_.constFind(key); found != pictures_.constEnd()) {
        kept.insert(key, *found);
      } else {
        missing << key;
      }
    }
  }
  pictures_ = std::move(kept);
  loader_.loadOnly(source_, missing);
}

void PagePictures::clear() {
  analysis_.reset();
  source_ = {};
  pictures_.clear();
  loader_.clear();
}

}  // namespace dubito
