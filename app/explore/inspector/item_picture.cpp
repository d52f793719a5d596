// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/item_picture.h"

#include <QComboBox>
#include <QEvent>
#include <QVBoxLayout>
#include <utility>

#include "widgets/image_view.h"
#include "widgets/signed_map.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kImageSide = 22 * kGrid;

}  // namespace

ItemPicture::ItemPicture(QWidget* parent)
    : QWidget(parent), chooser_(new QComboBox(this)), image_(new ImageView(this)) {
  setObjectName(QStringLiteral("itemPicture"));
  chooser_->setObjectName(QStringLiteral("itemPictureChooser"));
  chooser_->setAccessibleName(tr("Picture version"));
  chooser_->setProperty("role", QStringLiteral("plain"));
  chooser_->setFocusPolicy(Qt::TabFocus);  // clicking must not move the keyboard focus
  chooser_->addItems({tr("as stored"), tr("network input")});
  chooser_->setItemData(0, tr("as stored in the dataset"), Qt::ToolTipRole);
  chooser_->setItemData(1, tr("as the network sees it: resized and cropped, normalisation undone"),
                        Qt::ToolTipRole);
  image_->setObjectName(QStringLiteral("itemImage"));
  image_->setFixedSize(kImageSide, kImageSide);
  image_->setEmptyText(tr("no image"));
  image_->setToolTip(tr("Double-click to enlarge"));
  image_->installEventFilter(this);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGrid);
  layout->addWidget(chooser_);
  layout->addWidget(image_);
  setFixedWidth(kImageSide);
  for (const Picture picture : {Picture::kStored, Picture::kNetwork}) {
    auto* const loader = new ThumbnailLoader(this);
    connect(
        loader, &ThumbnailLoader::loaded, this,
        [this, picture](const std::shared_ptr<const void>& owner, qint64 key, const QImage& image) {
          if (owner == analysis_) {
            showLoaded(picture, key, image);
          }
        });
    loaders_[static_cast<std::size_t>(picture)] = loader;
  }
  connect(chooser_, &QComboBox::activated, this, [this] {
    load();
    Q_EMIT pictureChosen(picture());
  });
}

Picture ItemPicture::picture() const {
  return chooser_->currentIndex() == 1 ? Picture::kNetwork : Picture::kStored;
}

void ItemPicture::setPicture(Picture picture) {
  chooser_->setCurrentIndex(picture == Picture::kNetwork ? 1 : 0);
  load();
}

void ItemPicture::setItem(AnalysisPtr analysis, ItemRef item) {
  analysis_ = std::move(analysis);
  item_ = item;
  load();
}

void ItemPicture::setOverlay(bool is_on, const QImage& overlay) {
  overlay_ = overlay;
  if (std::exchange(has_overlay_, is_on) != is_on) {
    load();
  }
  showImage();
}

bool ItemPicture::canChoose() const {
  return analysis_ && item_ && analysis_->model && analysis_->partOf(*item_).dataset;
}

Picture ItemPicture::shown() const {
  if (!canChoose()) {
    return Picture::kStored;
  }
  return has_overlay_ ? Picture::kNetwork : picture();
}

void ItemPicture::load() {
  if (!analysis_ || !item_) {
    return;
  }
  const bool can_choose = canChoose();
  is_loaded_ = false;
  chooser_->setEnabled(can_choose && !has_overlay_);
  chooser_->setToolTip(!can_choose ? tr("open the model and the dataset to see the network input")
                       : has_overlay_
                           ? tr("the map of the pixels that matter is drawn over the network input")
                       : picture() == Picture::kStored
                           ? tr("as stored; the other version is the network input")
                           : tr("as the network sees it: %1")
                                 .arg(QString::fromStdString(
                                     analysis_->model->metadata().preprocessing.describe())));
  const Picture shown = this->shown();
  loaders_[static_cast<std::size_t>(shown)]->loadOnly(
      shown == Picture::kStored ? smallPicturesOf(analysis_, kSmallPicture)
                                : picturesOf(analysis_, shown),
      {keyOf(*item_)});
}

bool ItemPicture::eventFilter(QObject* watched, QEvent* event) {
  if (watched == image_ && event->type() == QEvent::MouseButtonDblClick) {
    Q_EMIT largeRequested();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

bool ItemPicture::settled() const {
  return loaders_[0]->pending() == 0 && loaders_[1]->pending() == 0;
}

void ItemPicture::showLoaded(Picture picture, qint64 key, const QImage& image) {
  if (item_ && picture == shown() && keyOf(*item_) == key) {
    loaded_ = image;
    is_loaded_ = true;
    showImage();
  }
}

void ItemPicture::showImage() {
  if (is_loaded_) {
    image_->setImage(has_overlay_ && canChoose() ? withSignedMap(loaded_, overlay_) : loaded_);
  }
}

}  // namespace dubito
