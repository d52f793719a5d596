// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/message_or_gallery.h"

#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "widgets/image_gallery.h"
#include "widgets/muted_label.h"
#include "widgets/theme.h"

namespace dubito {
MessageOrGallery::MessageOrGallery(const QString& name, QWidget* parent)
    : QWidget(parent), stack_(new QStackedLayout(this)) {
  auto* const waiting = new QWidget(this);
  message_ = makeMutedLabel(name + QStringLiteral("Message"), waiting);
  of_message_ = new QVBoxLayout(waiting);
  of_message_->setContentsMargins(0, 2 * kGrid, 0, 0);
  of_message_->setSpacing(2 * kGrid);
  of_message_->addWidget(message_);
  of_message_->addStretch(1);

  auto* const found = new QWidget(this);
  gallery_ = new ImageGallery(found);
  gallery_->setObjectName(name + QStringLiteral("Gallery"));
  caption_ = makeMutedLabel(name + QStringLiteral("Caption"), found);
  caption_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* const of_found = new QVBoxLayout(found);
  of_found->setContentsMargins(0, 0, 0, 0);
  of_found->setSpacing(kGrid);
  of_found->addWidget(gallery_, 1);
  of_found->addWidget(caption_);
  stack_->addWidget(waiting);
  stack_->addWidget(found);

  connect(gallery_, &ImageGallery::primaryChanged, this, [this](qint64 position) {
    caption_->setText(position < 0 ? QString() : gallery_->item(position).tooltip);
  });
  connect(gallery_, &ImageGallery::activated, this,
          [this](qint64 position) { Q_EMIT activated(gallery_->item(position).key); });
  connect(gallery_, &ImageGallery::thumbnailsNeeded, this, [this](const QVector<qint64>& keys) {
    if (pictures_.owner) {
      loader_.load(pictures_, keys);
    }
  });
  connect(&loader_, &ThumbnailLoader::loaded, this,
          [this](const std::shared_ptr<const void>& owner, qint64 key, const QImage& image) {
            if (owner == pictures_.owner) {
              gallery_->setThumbnail(key, image);
            }
          });
}

void MessageOrGallery::addControl(QWidget* control, Qt::Alignment alignment) {
  of_message_->insertWidget(of_message_->count() - 1, control, 0, alignment);
}

void MessageOrGallery::setPictures(const PictureSource& pictures) {
  if (pictures.owner != pictures_.owner) {
    gallery_->clearThumbnails();
  }
  pictures_ = pictures;
}

void MessageOrGallery::showMessage(const QString& text) {
  message_->setText(text);
  stack_->setCurrentIndex(0);
}

void MessageOrGallery::showItems(std::vector<GalleryItem> items) {
  gallery_->setPrimary(-1);
  gallery_->setItems(std::move(items));
  caption_->clear();
  stack_->setCurrentIndex(1);
}

}  // namespace dubito
