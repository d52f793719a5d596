// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_picture_row.h"

#include "app/review/reviewer.h"
#include "app/words/words.h"

namespace dubito {

ReviewPictureRow::ReviewPictureRow(Reviewer& reviewer, const QString& name, int height,
                                   QWidget* parent)
    : ImageGallery(parent) {
  setObjectName(name);
  setFixedHeight(height);
  setFocusPolicy(Qt::NoFocus);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setEmptyText({});
  connect(this, &ImageGallery::thumbnailsNeeded, this,
          [this, &reviewer](const QVector<qint64>& keys) {
            if (reviewer.analysis()) {
              loader_.load(smallPicturesOf(reviewer.analysis(), kSmallPicture), keys);
            }
          });
  connect(
      &loader_, &ThumbnailLoader::loaded, this,
      [this, &reviewer](const std::shared_ptr<const void>& of, qint64 key, const QImage& image) {
        if (of == reviewer.analysis()) {
          setThumbnail(key, image);
        }
      });
}

}  // namespace dubito
