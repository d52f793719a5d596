// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
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
  /// While `is_on`, shows the network input, in greys, whichever version is chosen, and `overlay`
  /// over it (null: none yet).
  void setOverlay(bool is_on, const QImage& overlay);
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
  [[nodiscard]] bool canChoose() const;
  /// The version to show.
  [[nodiscard]] Picture shown() const;
  void load();
  void showImage();
  void showLoaded(Picture picture, qint64 key, const QImage& image);

  AnalysisPtr analysis_;
  std::optional<ItemRef> item_;
  std::array<ThumbnailLoader*, 2> loaders_{};  ///< indexed by Picture
  bool has_overlay_ = false;
  QImage overlay_;
  QImage loaded_;           ///< the picture without overlay
  bool is_loaded_ = false;  ///< `loaded_` is of the item and version that were requested last
  QComboBox* chooser_;
  ImageView* image_;
};

}  // namespace dubito
