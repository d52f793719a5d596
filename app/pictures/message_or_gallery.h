// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/pictures/picture_source.h"
#include "app/pictures/thumbnail_loader.h"
#include "widgets/item_view_values.h"

class QLabel;
class QStackedLayout;
class QVBoxLayout;

namespace dubito {

class ImageGallery;

/// Images with a caption for the chosen one, or a message why there are none.
class MessageOrGallery : public QWidget {
  Q_OBJECT
 public:
  /// `name` starts the object names of the parts: nameMessage, nameGallery, nameCaption.
  explicit MessageOrGallery(const QString& name, QWidget* parent = nullptr);

  /// Adds a control below the message.
  void addControl(QWidget* control, Qt::Alignment alignment = {});
  /// Where the images come from; thumbnails of another owner are dropped. Default: none.
  void setPictures(const PictureSource& pictures);
  void showMessage(const QString& text);
  /// Shows the items; their keys are those of the pictures, their tooltips the captions.
  void showItems(std::vector<GalleryItem> items);
  /// True while a thumbnail is being loaded.
  [[nodiscard]] bool loading() const { return loader_.pending() > 0; }

 Q_SIGNALS:
  /// The image with this key was double-clicked, or Enter was pressed on it.
  void activated(qint64 key);

 private:
  ThumbnailLoader loader_;
  PictureSource pictures_;
  QStackedLayout* stack_;
  QVBoxLayout* of_message_;  ///< message, controls and the rest of the height
  QLabel* message_;
  ImageGallery* gallery_;
  QLabel* caption_;
};

}  // namespace dubito
