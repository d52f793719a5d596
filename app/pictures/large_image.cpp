// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/large_image.h"

#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>
#include <utility>

#include "app/pictures/item_keys.h"
#include "app/words/words.h"
#include "widgets/muted_label.h"
#include "widgets/signed_map.h"
#include "widgets/theme.h"
#include "widgets/zoom_view.h"

namespace dubito {

LargeImage::LargeImage(Session& session, QWidget* parent)
    : QDialog(parent),
      session_(session),
      view_(new ZoomView(this)),
      caption_(makeMutedLabel(QStringLiteral("largeImageCaption"), this)) {
  setObjectName(QStringLiteral("largeImage"));
  resize(180 * kGrid, 180 * kGrid);
  view_->setObjectName(QStringLiteral("largeImageView"));
  view_->setToolTip(tr("Scroll to zoom, drag to pan, double-click to fit"));
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
  layout->addWidget(view_, 1);
  layout->addWidget(caption_);
  connect(&session_.listing(), &ItemListing::primaryChanged, this, &LargeImage::showItem);
  connect(&session_, &Session::browsedChanged, this, &LargeImage::showItem);
  connect(&loader_, &ThumbnailLoader::loaded, this,
          [this](const std::shared_ptr<const void>& owner, qint64 key, const QImage& image) {
            if (owner == wanted_ && key == wanted_key_) {
              loaded_ = image;
              view_->setImage(shownImage(), tr("The image is not open or cannot be read"));
            }
          });
}

void LargeImage::setPicture(Picture picture) {
  picture_ = picture;
  showItem();
}

void LargeImage::setOverlay(bool is_on, const QImage& overlay) {
  overlay_ = overlay;
  if (std::exchange(has_overlay_, is_on) != is_on) {
    showItem();
  } else if (takes_overlay_ && !loaded_.isNull()) {
    view_->refine(shownImage());  // keeps the part that is zoomed into
  }
}

QImage LargeImage::shownImage() const {
  return takes_overlay_ ? withSignedMap(loaded_, overlay_) : loaded_;
}

Picture LargeImage::shown(const Analysis& analysis) const {
  return has_overlay_ && analysis.model ? Picture::kNetwork : picture_;
}

void LargeImage::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  showItem();
}

void LargeImage::hideEvent(QHideEvent* event) {
  QDialog::hideEvent(event);
  wanted_ = nullptr;  // release the memory while hidden
  loaded_ = {};
}

void LargeImage::showItem() {
  if (!isVisible()) {
    return;
  }
  const AnalysisPtr analysis = session_.activeAnalysis();
  const std::optional<ItemRef> item = session_.listing().primary();
  if (const DatasetPtr dataset = session_.shownDataset()) {
    showItemOf(dataset);
  } else if (analysis && item) {
    showItemOf(analysis, *item);
  } else {
    wanted_ = nullptr;
    setWindowTitle(tr("Image"));
    caption_->clear();
    view_->setImage({}, tr("Select an image"));
  }
}

void LargeImage::showItemOf(const DatasetPtr& dataset) {
  const std::int64_t item = session_.browsedItem();
  setWindowTitle(QString::fromStdString(dataset->itemName(item)));
  QStringList lines;
  if (const QString label = className(*dataset, dataset->labels()[static_cast<std::size_t>(item)]);
      !label.isEmpty()) {
    lines << tr("true %1").arg(label);
  }
  lines << QString::fromStdString(dataset->info().name) << tr("as stored");
  caption_->setText(lines.join(QStringLiteral(" · ")));
  takes_overlay_ = false;
  load(picturesOf(dataset), item);
}

void LargeImage::showItemOf(const AnalysisPtr& analysis, ItemRef item) {
  const AnalysisPart& part = analysis->partOf(item);
  setWindowTitle(itemName(*analysis, item));
  QStringList lines;
  if (const QString label = trueClassName(*analysis, item); !label.isEmpty()) {
    lines << tr("true %1").arg(label);
  }
  lines << tr("predicted %1").arg(className(*analysis, part.run->predictions.data()[item.row]))
        << QString::fromStdString(part.name)
        << (shown(*analysis) == Picture::kStored ? tr("as stored") : tr("as the network sees it"));
  takes_overlay_ = has_overlay_ && analysis->model;
  if (takes_overlay_) {
    lines << tr("pixels that matter in colour");
  }
  caption_->setText(lines.join(QStringLiteral(" · ")));
  load(picturesOf(analysis, shown(*analysis)), keyOf(item));
}

void LargeImage::load(const PictureSource& source, qint64 key) {
  loaded_ = {};
  wanted_ = source.owner;
  wanted_key_ = key;
  loader_.clear();  // the other version of the same picture may be on its way
  loader_.loadOnly(source, {key});
}

void LargeImage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == whyKey() && event->modifiers() == Qt::NoModifier) {
    Q_EMIT whyRequested();
  } else if (!stepItems(session_, *event)) {
    QDialog::keyPressEvent(event);
  }
}

}  // namespace dubito
