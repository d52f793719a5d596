// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/gallery_binder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/words/words.h"
#include "core/analysis/item_attributes.h"
#include "widgets/plot_table.h"

namespace dubito {
namespace {

/// Two decimals; small values keep significant digits instead.
QString captionText(double value) {
  constexpr double kSmall = 0.005;
  return std::isnan(value) || (value != 0.0 && std::abs(value) < kSmall)
             ? shortText(value, 2)
             : QString::number(value, 'f', 2);
}

GalleryItem galleryItem(const Analysis& analysis, ItemRef item, const ItemQuery& query) {
  const AnalysisPart& part = analysis.partOf(item);
  GalleryItem shown;
  shown.key = keyOf(item);
  shown.label_predicted = className(analysis, part.run->predictions.data()[item.row]);
  shown.label_true = trueClassName(analysis, item);
  const ItemGroup group = groupOf(analysis, item);
  shown.wrong = group == ItemGroup::kMisclassified;
  shown.ood = group == ItemGroup::kOod;
  shown.name = itemName(analysis, item);
  if (query.sort_column == ItemColumn::kLoss) {
    shown.measure = captionText(analysis.lossOf(item));
  } else if (query.sort_column == ItemColumn::kItem) {
    shown.measure = shown.name;
  } else if (query.sort_column) {
    // The caption already has the classes.
  } else if (query.sort_attribute) {
    const Attribute* const attribute = findAttribute(part, *query.sort_attribute);
    shown.measure = attribute == nullptr
                        ? QString()
                        : QString::fromStdString(attributeText(part, *attribute, item.row));
  } else if (part.has(query.sort)) {
    shown.measure = captionText(part.values(query.sort).data()[item.row]);
  }
  shown.tooltip =
      QStringLiteral("%1 · %2 · %3")
          .arg(QString::fromStdString(part.name), itemName(analysis, item), groupName(group));
  if (const double loss = analysis.lossOf(item); !std::isnan(loss)) {
    shown.tooltip += GalleryBinder::tr("\nloss %1 nats").arg(shortText(loss));
  }
  for (const Measure measure : allMeasures()) {
    if (part.has(measure)) {
      const QString line =
          QStringLiteral("%1 %2 %3")
              .arg(measureName(measure), shortText(part.values(measure).data()[item.row]),
                   measureUnit(measure));
      shown.tooltip += u'\n' + line.trimmed();
    }
  }
  for (const auto& [name, value] : attributeTexts(part, item.row)) {
    shown.tooltip += QStringLiteral("\n%1: %2").arg(name, value);
  }
  return shown;
}

GalleryItem galleryItem(const Dataset& dataset, qint64 position) {
  GalleryItem shown;
  shown.key = position;
  shown.name = QString::fromStdString(dataset.itemName(position));
  shown.tooltip = shown.name;
  shown.label_true = className(dataset, dataset.labels()[static_cast<std::size_t>(position)]);
  if (!shown.label_true.isEmpty()) {
    shown.tooltip += QStringLiteral(" · ") + shown.label_true;
  }
  return shown;
}

}  // namespace

GalleryBinder::GalleryBinder(Session& session, ThumbnailLoader& loader, ImageGallery& gallery,
                             Browsing browsing)
    : QObject(&gallery),
      session_(session),
      loader_(loader),
      gallery_(gallery),
      browsing_(browsing) {
  connect(&session_.listing(), &ItemListing::itemsChanged, this, &GalleryBinder::showItems);
  connect(&session_.listing(), &ItemListing::primaryChanged, this, &GalleryBinder::showPrimary);
  connect(&gallery_, &ImageGallery::primaryChanged, this, [this](qint64 position) {
    if (dataset()) {
      session_.setBrowsedItem(std::max<qint64>(0, position));
    } else if (session_.activeAnalysis() && session_.listing().items() && position >= 0 &&
               position < static_cast<qint64>(session_.listing().items()->size())) {
      session_.listing().setPrimary(
          (*session_.listing().items())[static_cast<std::size_t>(position)]);
    }
  });
  connect(&gallery_, &ImageGallery::thumbnailsNeeded, this, [this](const QVector<qint64>& keys) {
    if (pictures_.owner) {
      loader_.load(pictures_, keys);
    }
  });
  connect(&loader_, &ThumbnailLoader::loaded, this,
          [this](const std::shared_ptr<const void>& owner, qint64 key, const QImage& image) {
            if (owner == pictures_.owner) {
              gallery_.setThumbnail(key, image);
            }
          });
  connect(&session_, &Session::workspaceChanged, this, [this] {
    if (dataset() || !session_.activeAnalysis()) {
      showDataset();
    } else if (shows_dataset_) {
      showItems();
    }
  });
  connect(&session_, &Session::browsedChanged, this, [this] {
    if (shows_dataset_ && pictures_.owner == session_.shownDataset()) {
      gallery_.setPrimary(session_.browsedItem());
    }
  });
  showItems();
}

void GalleryBinder::setPictureSource(PictureSource source) {
  if (source.owner != pictures_.owner) {
    pictures_ = std::move(source);
    gallery_.clearThumbnails();
  }
}

DatasetPtr GalleryBinder::dataset() const {
  return browsing_ == Browsing::kIgnores && session_.activeAnalysis() ? nullptr
                                                                      : session_.shownDataset();
}

void GalleryBinder::showItems() {
  const AnalysisPtr analysis = session_.activeAnalysis();
  if (dataset() || !analysis) {
    showDataset();
    return;
  }
  shows_dataset_ = false;
  setPictureSource(smallPicturesOf(analysis, kSmallPicture));
  const ItemList items = session_.listing().items();
  if (!items) {
    gallery_.setItems(0, [](qint64) { return GalleryItem(); });
    return;
  }
  gallery_.setEmptyText(noItemsText());
  gallery_.setItems(static_cast<qint64>(items->size()),
                    [analysis, items, query = session_.listing().query()](qint64 position) {
                      return galleryItem(*analysis, (*items)[static_cast<std::size_t>(position)],
                                         query);
                    });
  showPrimary();
}

void GalleryBinder::showDataset() {
  const DatasetPtr dataset = this->dataset();
  shows_dataset_ = true;
  if (dataset && dataset == pictures_.owner) {
    return;  // another part of the workspace changed
  }
  setPictureSource(dataset ? smallPicturesOf(dataset, kSmallPicture) : PictureSource());
  gallery_.setPrimary(-1);
  gallery_.setItems(dataset ? dataset->size() : 0,
                    [dataset](qint64 position) { return galleryItem(*dataset, position); });
}

void GalleryBinder::showPrimary() {
  if (shows_dataset_) {
    return;
  }
  gallery_.setPrimary(session_.listing().primaryPosition());
}

}  // namespace dubito
