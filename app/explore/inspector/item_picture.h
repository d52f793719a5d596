// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "app/pictures/thumbnail_loader.h"

class QComboBox;

namespace dubito {

class ImageView;

/// The picture of an item as stored or as preprocessed for the network, with a chooser.
class ItemPicture : public QWidget {
  Q_OBJECT
 public:
  explicit ItemPicture(QWidget* parent = nullptr);

  void setItem(AnalysisPtr analysis, ItemRef item);
  [[nodiscard]] Picture picture() const;
  void setPicture(Picture picture);
  /// True if no picture is being loaded.
  [[nodiscard]] bool settled() const;

 Q_SIGNALS:
  /// The user chose the version of the picture to show.
  void pictureChosen(dubito::Picture picture);
  /// The picture was double-clicked; asks for a larger view.
  void largeRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void load();
  void showLoaded(Picture picture, qint64 key, const QImage& image);

  AnalysisPtr analysis_;
  std::optional<ItemRef> item_;
  std::array<ThumbnailLoader*, 2> loaders_{};  ///< indexed by Picture
  QComboBox* chooser_;
  ImageView* image_;
};

}  // namespace dubito
