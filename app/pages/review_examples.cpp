// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/review_examples.h"

#include <QVBoxLayout>
#include <vector>

#include "app/panels/words.h"
#include "app/review/reviewer.h"
#include "widgets/image_gallery.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr std::size_t kMostExamples = 6;

}  // namespace

ReviewExamples::ReviewExamples(Reviewer& reviewer, QWidget* parent)
    : QWidget(parent), reviewer_(reviewer), gallery_(new ImageGallery(this)) {
  setObjectName(QStringLiteral("reviewExamplesPart"));
  gallery_->setObjectName(QStringLiteral("reviewExamples"));
  gallery_->setAccessibleName(tr("examples of the class"));
  gallery_->setFixedHeight(18 * kGrid);
  gallery_->setFocusPolicy(Qt::NoFocus);
  gallery_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  gallery_->setEmptyText({});
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(gallery_);
  connect(gallery_, &ImageGallery::thumbnailsNeeded, this, [this](const QVector<qint64>& keys) {
    if (reviewer_.analysis()) {
      loader_.load(smallPicturesOf(reviewer_.analysis(), kSmallPicture), keys);
    }
  });
  connect(&loader_, &ThumbnailLoader::loaded, this,
          [this](const std::shared_ptr<const void>& of, qint64 key, const QImage& image) {
            if (of == reviewer_.analysis()) {
              gallery_->setThumbnail(key, image);
            }
          });
  hide();
}

void ReviewExamples::showClass(std::int64_t class_id) {
  std::vector<GalleryItem> items;
  const LabelClass* const entry = findClass(reviewer_.file().classes(), class_id);
  for (const std::int64_t id :
       entry == nullptr ? std::vector<std::int64_t>() : reviewer_.file().examplesOf(class_id)) {
    const auto row = reviewer_.rowOf(id);
    if (row && items.size() < kMostExamples) {
      GalleryItem item;
      item.key = keyOf({0, *row});
      item.label_predicted = QString::fromStdString(entry->name);
      item.tooltip = tr("An example of %1").arg(item.label_predicted);
      items.push_back(item);
    }
  }
  setVisible(!items.empty());
  gallery_->setItems(std::move(items));
}

}  // namespace dubito
